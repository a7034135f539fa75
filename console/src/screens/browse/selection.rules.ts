import { isWithin, outermost } from './paths.rules.js';

/** Selected paths with their sizes; null: unknown. A folder includes everything in it. */
export type Selection = ReadonlyMap<string, number | null>;

/** More than this are refused; the bar says so from `manyPaths` on. */
export const mostPaths = 1_000;
export const manyPaths = 900;

/** Whether a folder above it is chosen, which chooses it too. */
export const isCovered = (selection: Selection, path: string): boolean => {
  for (const chosen of selection.keys()) if (chosen !== path && isWithin(chosen, path)) return true;
  return false;
};

/** Selects or deselects an entry. Entries inside a newly selected folder are removed. */
export function toggle(selection: Selection, path: string, size: number | null): Selection {
  const next = new Map(selection);
  if (next.delete(path)) return next;
  if (isCovered(selection, path)) return selection;
  next.set(path, size);
  const kept = new Set(outermost([...next.keys()]));
  return new Map([...next].filter(([chosen]) => kept.has(chosen)));
}

/** Null if the size of a part is unknown. */
export const sizeOf = (selection: Selection): number | null =>
  [...selection.values()].reduce<number | null>(
    (sum, size) => (sum === null || size === null ? null : sum + size),
    0,
  );
