import { createHash } from 'node:crypto';
import type { Value } from './section.js';

/** A digest of each object that is not sealed, by section and key; sealed with the secrets. */
export type Marks = Record<string, Record<string, string>>;

interface Keyed {
  section: { name: string };
  objects: readonly { key: string }[];
}

/** `document`: as written or read, with its objects in the order of the parts. */
export const marksOf = (parts: readonly Keyed[], document: Value): Marks =>
  Object.fromEntries([
    ['head', { document: markOf([document.format, document.version, document.made_at, document.made_by]) }],
    ...parts.map(({ section: { name }, objects }) => {
      const written = (document[name] ?? []) as unknown[];
      return [name, Object.fromEntries(objects.map(({ key }, at) => [key, markOf(written[at])]))];
    }),
  ]);

/** Objects changed, added or removed since the document was encrypted, as `section key`. */
export function changedSince(sealed: Marks, now: Marks): string[] {
  const names = [...new Set([...Object.keys(sealed), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const [before = {}, after = {}] = [sealed[name], now[name]];
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.filter((key) => before[key] !== after[key]).map((key) => `${name} ${key}`);
  });
}

const markOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, sorted) ?? '')
    .digest('base64url');

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
