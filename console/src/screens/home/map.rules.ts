import type { Schemas } from '../../api/client.js';
import { stateOf } from '../../ui/state.js';

type Repository = Schemas['OverviewRepository'];

/** Up to this number, each has a row. */
export const mostRows = 12;

const order = ['damaged', 'late', 'unknown', 'protected'];

export type Grouping = 'host' | 'tag';

/**
 * By host, this machine first, or by tag, with those of several tags in each; within a group, the worst state first, then
 * by name. The key null: this machine, or no tag.
 */
export function grouped(
  repositories: readonly Repository[],
  { text, by }: { text: string; by: Grouping },
): [group: string | null, Repository[]][] {
  const wanted = text.trim().toLocaleLowerCase();
  const groups = new Map<string | null, Repository[]>();
  for (const each of [...repositories].sort(compare)) {
    const { name, host, tags } = each;
    if (![name, host ?? '', ...tags].join(' ').toLocaleLowerCase().includes(wanted)) continue;
    for (const key of by === 'host' ? [host] : tags.length > 0 ? tags : [null])
      groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups].sort(([one], [other]) =>
    by === 'host'
      ? (one ?? '').localeCompare(other ?? '')
      : Number(one === null) - Number(other === null) || (one ?? '').localeCompare(other ?? ''),
  );
}

const compare = (one: Repository, other: Repository): number =>
  order.indexOf(stateOf(one)) - order.indexOf(stateOf(other)) ||
  one.name.localeCompare(other.name, undefined, { numeric: true });

const provenForMs = 90 * 86_400_000;

/** How many were restored and compared within 90 days. */
export const countProven = (repositories: readonly Repository[], now: number): number =>
  repositories.filter(({ last_verified_restore: at }) => at !== null && now - Date.parse(at) <= provenForMs)
    .length;
