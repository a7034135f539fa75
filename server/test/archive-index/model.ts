import type {
  ArchiveDelta,
  FolderGrowth,
  IndexedEntry,
  LostFiles,
  NewArchive,
  PathSearch,
  PathVersion,
} from '@holdfast/core/server';
import { type ArchiveEntry, canonicalPath } from '@holdfast/plugin-api/driver';

export type Listing = Map<string, IndexedEntry>;

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Worked out in memory: of two with a name the first counts, but a directory before others; folders are implied. */
export function listingOf(entries: readonly ArchiveEntry[]): Listing {
  const listing: Listing = new Map();
  const paths = new Map(entries.map((each) => [each, canonicalPath(each.path)]));
  const put = (each: ArchiveEntry, size: number, healthy: boolean) => {
    const path = paths.get(each) ?? '';
    const known = listing.get(path);
    if (path === '' || (known && each.type !== 'directory')) return;
    const { type, symlinkTarget } = each;
    listing.set(path, { path, type, size, mtime: Math.floor(each.mtime), symlinkTarget, healthy });
  };
  for (const each of entries)
    if (each.hardLinkTarget === null) put(each, each.type === 'directory' ? 0 : each.size, each.healthy);
  const first = new Map<string, ArchiveEntry>();
  for (const each of entries) {
    const path = paths.get(each) ?? '';
    if (each.hardLinkTarget === null && each.type !== 'directory' && !first.has(path)) first.set(path, each);
  }
  for (const each of entries) {
    if (each.hardLinkTarget === null) continue;
    const target = first.get(canonicalPath(each.hardLinkTarget));
    put(each, target?.size ?? each.size, each.healthy && (target?.healthy ?? true));
  }
  const needed = [...entries].flatMap(({ path, hardLinkTarget }) => [path, hardLinkTarget ?? path]);
  for (const path of needed.map(canonicalPath)) {
    for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
      if (listing.get(above)?.type === 'directory') continue;
      listing.set(above, {
        path: above,
        type: 'directory',
        size: 0,
        mtime: null,
        symlinkTarget: null,
        healthy: true,
      });
    }
  }
  return listing;
}

interface Known extends NewArchive {
  listing: Listing;
  series: Known[];
}

/** An index that holds each listing as it is. */
export class Model {
  #archives: Known[] = [];
  #series = new Map<string, Known[][]>();

  get ids(): string[] {
    return this.#archives.map(({ toolId }) => toolId);
  }

  listing(toolId: string): Listing {
    return this.#find(toolId).listing;
  }

  add(
    archive: NewArchive,
    entries: readonly ArchiveEntry[],
  ): { entries: number; delta: ArchiveDelta | null } {
    const listing = listingOf(entries);
    const key = JSON.stringify([archive.hostname, archive.name.replace(/\d/g, '')]);
    const all = this.#series.get(key) ?? [];
    this.#series.set(key, all);
    const fitting = all
      .filter((each) => each.length > 0)
      .sort((a, b) => b.length - a.length)
      .find((each) => archive.start >= (each.at(-1)?.start ?? 0) || archive.start <= (each[0]?.start ?? 0));
    const series = fitting ?? [];
    if (!fitting) all.push(series);
    const before = series.at(-1);
    const known: Known = { ...archive, listing, series };
    const isNewer = !before || archive.start >= before.start;
    if (isNewer) series.push(known);
    else series.unshift(known);
    this.#archives.push(known);
    this.#archives.sort((a, b) => a.start - b.start);
    return { entries: listing.size, delta: before && isNewer ? deltaOf(before, listing) : null };
  }

  remove(toolIds: readonly string[]): void {
    this.#archives = this.#archives.filter(({ toolId }) => !toolIds.includes(toolId));
    for (const all of this.#series.values())
      for (const series of all)
        series.splice(0, series.length, ...series.filter(({ toolId }) => !toolIds.includes(toolId)));
  }

  history(path: string): PathVersion[] | null {
    const versions: PathVersion[] = [];
    for (const { toolId, listing } of this.#archives) {
      const entry = listing.get(path);
      if (!entry) continue;
      const known = versions.find((each) => same(each.entry, entry));
      if (known) known.archives.push(toolId);
      else versions.push({ entry, archives: [toolId] });
    }
    return versions.length === 0 ? null : versions;
  }

  search(search: PathSearch): string[] {
    const newest = new Set<Known>();
    for (const all of this.#series.values()) {
      const last = all
        .flat()
        .sort((a, b) => a.start - b.start)
        .at(-1);
      if (last) newest.add(last);
    }
    const paths = new Set(this.#archives.flatMap(({ listing }) => [...listing.keys()]));
    const { type, minSize = 0, maxSize = 1e18, since, until, deleted } = search;
    return [...paths].filter(
      (path) =>
        search.matches(parentOf(path), nameOf(path)) &&
        (this.history(path) ?? []).some(
          ({ entry }) =>
            (type === undefined || entry.type === type) &&
            entry.size >= minSize &&
            entry.size <= maxSize &&
            (since === undefined || (entry.mtime !== null && entry.mtime >= since)) &&
            (until === undefined || (entry.mtime !== null && entry.mtime < until)),
        ) &&
        !(deleted && [...newest].some(({ listing }) => listing.has(path))),
    );
  }

  lost(
    removed: readonly string[],
  ): Pick<LostFiles, 'files' | 'bytes'> & { each: Map<string, [number, string]> } {
    const kept = this.#archives.filter(({ toolId }) => !removed.includes(toolId));
    const each = new Map<string, [number, string]>();
    for (const { toolId, listing } of this.#archives)
      for (const { path, type, size } of listing.values())
        if (type === 'file' && !kept.some((other) => other.listing.get(path)?.type === 'file'))
          each.set(path, [size, toolId]);
    const bytes = [...each.values()].reduce((sum, [size]) => sum + size, 0);
    return { files: each.size, bytes, each };
  }

  changes(before: string, after: string): Map<string, [IndexedEntry | null, IndexedEntry | null]> {
    const [old, now] = [this.listing(before), this.listing(after)];
    const changes = new Map<string, [IndexedEntry | null, IndexedEntry | null]>();
    for (const path of new Set([...old.keys(), ...now.keys()])) {
      const [was, is] = [old.get(path) ?? null, now.get(path) ?? null];
      if (was?.type === 'directory' && is?.type === 'directory') continue;
      if (!same(was, is)) changes.set(path, [was, is]);
    }
    return changes;
  }

  growth(before: string, after: string, parent: string): Map<string, Omit<FolderGrowth, 'path'>> {
    const growth = new Map<string, { bytes: number; files: number }>();
    const count = (listing: Listing, sign: number) => {
      for (const { path, type, size } of listing.values()) {
        if (type !== 'file' || !(parent === '' || path.startsWith(`${parent}/`))) continue;
        const rest = path.slice(parent === '' ? 0 : parent.length + 1);
        const below = rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : null;
        const folder = below === null ? parent : parent === '' ? below : `${parent}/${below}`;
        const sum = growth.get(folder) ?? { bytes: 0, files: 0 };
        growth.set(folder, { bytes: sum.bytes + sign * size, files: sum.files + sign });
      }
    };
    count(this.listing(before), -1);
    count(this.listing(after), 1);
    return new Map([...growth].filter(([, { bytes, files }]) => bytes !== 0 || files !== 0));
  }

  #find(toolId: string): Known {
    const found = this.#archives.find((each) => each.toolId === toolId);
    if (!found) throw new Error(`no archive ${toolId}`);
    return found;
  }
}

const stemOf = (name: string) => (name.lastIndexOf('.') > 0 ? name.slice(0, name.lastIndexOf('.')) : null);

function deltaOf(before: Known, now: Listing): ArchiveDelta {
  const filesIn = (listing: Listing) => [...listing.values()].filter(({ type }) => type === 'file');
  const old = new Map(filesIn(before.listing).map((each) => [each.path, each]));
  const files = new Map(filesIn(now).map((each) => [each.path, each]));
  const added = [...files.keys()].filter((path) => !old.has(path));
  const removed = [...old.keys()].filter((path) => !files.has(path));
  const changed = [...files.values()].filter(
    ({ path }) => old.has(path) && !same(old.get(path), files.get(path)),
  );
  const renamed = removed.filter((path) =>
    added.some((other) => {
      if (parentOf(other) !== parentOf(path)) return false;
      const [name, stem] = [nameOf(path), stemOf(nameOf(path))];
      return nameOf(other).startsWith(`${name}.`) || (stem !== null && stemOf(nameOf(other)) === stem);
    }),
  );
  const folders = new Map<string, { changed: number; removed: number }>();
  const count = (path: string, which: 'changed' | 'removed') => {
    const sum = folders.get(parentOf(path)) ?? { changed: 0, removed: 0 };
    sum[which]++;
    folders.set(parentOf(path), sum);
  };
  for (const { path } of changed) count(path, 'changed');
  for (const path of removed) count(path, 'removed');
  return {
    before: before.toolId,
    filesBefore: old.size,
    added: added.length,
    changed: changed.length,
    removed: removed.length,
    renamed: renamed.length,
    folders: [...folders].map(([path, sum]) => ({ path, ...sum, examples: [] })),
  };
}
