import type { Schemas } from '../../api/client.js';

type Item = Schemas['OverviewAttention'];

const fewest = 3;

/** The same cause three times or more is one entry, where its first one is. A snoozed one stands by itself. */
export function byCause(items: readonly Item[]): Item[][] {
  const causes = new Map<string, Item[]>();
  for (const item of items) {
    const key = item.snoozed_until ? `${item.cause} ${item.object.kind} ${item.object.id}` : item.cause;
    causes.set(key, [...(causes.get(key) ?? []), item]);
  }
  return [...causes.values()].flatMap((same) =>
    same.length >= fewest ? [same] : same.map((item) => [item]),
  );
}
