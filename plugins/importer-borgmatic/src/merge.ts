import type { Entry, ListTree, MapTree, Tree } from './tree.js';

/**
 * Included entries come before those of the file itself: maps are merged, lists are concatenated, and the
 * last text wins.
 */
export function mergedEntries(entries: readonly Entry[]): Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.key);
    if (group) group.push(entry);
    else groups.set(entry.key, [entry]);
  }
  return [...groups.values()].map((group) => {
    const last = group.at(-1) as Entry;
    return group.length === 1 ? last : { ...last, value: mergedValue(group.map(({ value }) => value)) };
  });
}

function mergedValue(values: readonly Tree[]): Tree {
  const last = values.at(-1) as Tree;
  if (last.kind === 'scalar' || last.retain || values.some(({ kind }) => kind !== last.kind)) return last;
  if (last.kind === 'map') {
    const entries = (values as MapTree[]).flatMap((each) => each.entries);
    return { ...last, entries: mergedEntries(entries) };
  }
  return { ...last, items: withoutOmitted((values as ListTree[]).flatMap(({ items }) => items)) };
}

function withoutOmitted(items: readonly Tree[]): Tree[] {
  const omitted = new Set(items.flatMap((item) => (item.kind === 'scalar' && item.omit ? [item.value] : [])));
  return items.filter((item) => item.kind !== 'scalar' || !omitted.has(item.value));
}
