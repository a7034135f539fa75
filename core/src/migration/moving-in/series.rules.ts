export interface Named {
  name: string;
  hostname: string;
  start: number;
}

export interface Series<A extends Named> {
  prefix: string;
  hostname: string;
  /** Newest first. */
  archives: A[];
}

const mostSeries = 10;

/** The part of a name before its date or number. */
export const prefixOf = (name: string): string =>
  /^(.*?)(\d{4}[-._]?\d{2}[-._]?\d{2}|\d{2}[-._]\d{2}[-._]\d{4}|\d{9,}|\d+$)/s.exec(name)?.[1] ?? name;

/** Archives of one host and one prefix, the series with the newest archive first. */
export function allSeries<A extends Named>(archives: readonly A[]): Series<A>[] {
  const groups = new Map<string, Series<A>>();
  for (const archive of archives.toSorted((a, b) => b.start - a.start)) {
    const { hostname } = archive;
    const prefix = prefixOf(archive.name);
    const key = JSON.stringify([hostname, prefix]);
    const group = groups.get(key) ?? { prefix, hostname, archives: [] };
    group.archives.push(archive);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Includes single archives only if there are no series. */
export function seriesOf<A extends Named>(archives: readonly A[]): Series<A>[] {
  const all = allSeries(archives);
  const several = all.filter((group) => group.archives.length > 1);
  return (several.length > 0 ? several : all).slice(0, mostSeries);
}

/** For the names of a series, as adoption takes it. */
export const patternOf = (prefix: string): string => `${prefix.replace(/[[\]{}*?,\\]/g, '\\$&')}*`;
