import type { Dirent } from 'node:fs';
import { bytesOfName, nameOfBytes } from '@holdfast/plugin-api/driver';
import { entriesOf, isSilent, lstat, readdir, readStart } from '@holdfast/plugin-api/files';
import { mayBeRepository, mostOfFile, recognise } from './recognise.rules.js';
import { type FoundRepository, isOver, type WalkLimits, type WalkTally } from './walk.rules.js';

/** More would only make a slow disk slower. */
const atOnce = 3;
/** After as many folders that hang the walk ends. */
const mostHanging = 2;
/** Names of a larger folder are not looked at: no backup tool makes such. */
const mostNames = 100_000;

export interface Walk {
  root: string;
  limits: WalkLimits;
  tally: WalkTally;
  signal: AbortSignal;
  /** Left out with all below them. */
  skipped: ReadonlySet<string>;
  /** Awaited, so that a slow reader slows the walk. */
  onFound(found: FoundRepository): Promise<void>;
}

interface Folder {
  path: string;
  depth: number;
}

/**
 * Finds repositories in a folder and its subfolders, without following symlinks or entering repositories.
 * Rejects if the root cannot be read, and with the reason of `signal`.
 */
export async function walkFolders(walk: Walk): Promise<void> {
  const { limits, tally, signal, skipped } = walk;
  const begun = performance.now();
  const waiting: Folder[] = [{ path: walk.root, depth: 0 }];
  let hanging = 0;
  let failure: unknown = null;
  const read = (folder: Folder) =>
    look(folder.path).catch((error: unknown) => {
      if (!isNotReadable(error) || folder.depth === 0) throw error;
      tally.unreadable += 1;
      if (isSilent(error)) hanging += 1;
      if (hanging >= mostHanging) tally.truncated = true;
      return null;
    });
  const visit = async (folder: Folder): Promise<void> => {
    tally.at = folder.path;
    const seen = await read(folder);
    if (!seen) return;
    tally.folders += 1;
    if (seen.found) {
      tally.found += 1;
      await walk.onFound(seen.found);
    } else if (folder.depth < limits.depth) {
      for (const name of seen.names) {
        const path = folder.path === '/' ? `/${name}` : `${folder.path}/${name}`;
        if (!skipped.has(path)) waiting.push({ path, depth: folder.depth + 1 });
      }
    }
  };
  const going = () => failure === null && !signal.aborted && hanging < mostHanging;
  const mayGo = () => going() && waiting.length > 0 && !isOver(tally, limits, performance.now() - begun);
  const visits = new Set<Promise<void>>();
  while (visits.size > 0 || mayGo()) {
    while (visits.size < atOnce && mayGo()) {
      const visited = visit(waiting.pop() as Folder)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => visits.delete(visited));
      visits.add(visited);
    }
    await Promise.race(visits);
  }
  signal.throwIfAborted();
  if (failure !== null) throw failure;
}

const isNotReadable = (error: unknown): boolean =>
  typeof (error as { code?: unknown } | null)?.code === 'string';

/** Returns the repository at the path, or the names of its subfolders. */
async function look(path: string): Promise<{ names: string[]; found: FoundRepository | null }> {
  const files = new Set<string>();
  const names: string[] = [];
  const read = await entriesIn(path);
  const note = (entry: Entry) => {
    const name = nameOf(entry);
    if (entry.isDirectory()) names.push(name);
    else if (entry.isFile() && (name === 'config' || name === 'README' || name.startsWith('index.')))
      files.add(name);
  };
  if (Array.isArray(read)) read.forEach(note);
  else for await (const entry of read) if (names.length < mostNames) note(entry);
  if (!mayBeRepository({ files, folders: new Set(names) })) return { names, found: null };
  const [config, readme] = await Promise.all([begin(path, 'config', files), begin(path, 'README', files)]);
  const known = recognise({ config, readme, hasData: names.includes('data') && (await hasEntry(path)) });
  if (!known) return { names, found: null };
  const modified = await modifiedAt(path, files);
  return { names: [], found: { path, ...known, modified } };
}

const isPlain = (path: string): boolean => !/[^\0-\x7f]/.test(path);

/** A larger folder has so many entries that they are not held at once. */
const largeFolder = 2 ** 20;

/** All entries at once are read in a quarter of the time. */
type Entry = Dirent<string> | Dirent<Buffer>;

async function entriesIn(path: string): Promise<Entry[] | AsyncIterable<Entry>> {
  const folder = bytesOf(path) as string;
  // Strings in latin1 take less memory than Buffers, which Node requires together with a Buffer path.
  const encoding = (isPlain(path) ? 'latin1' : 'buffer') as BufferEncoding;
  if ((await lstat(folder)).size > largeFolder) return entriesOf(folder);
  return readdir(folder, { encoding, withFileTypes: true });
}

const bytesOf = (path: string): string | Buffer => (isPlain(path) ? path : bytesOfName(path));

/** Node returns Buffers for the encoding `buffer`, but its types don't know this. */
function nameOf({ name }: { name: string | Buffer }): string {
  if (typeof name !== 'string') return nameOfBytes(name);
  return isPlain(name) ? name : nameOfBytes(Buffer.from(name, 'latin1'));
}

async function begin(folder: string, name: string, files: ReadonlySet<string>): Promise<string | null> {
  if (!files.has(name)) return null;
  return readStart(bytesOf(`${folder}/${name}`), mostOfFile).then(
    (found) => found.toString('latin1'),
    () => null,
  );
}

async function hasEntry(folder: string): Promise<boolean> {
  try {
    for await (const _ of entriesOf(bytesOf(`${folder}/data`), 1)) return true;
    return false;
  } catch {
    return false;
  }
}

/** The tool writes a new index with each change. Locks of readers change only the folder. */
async function modifiedAt(folder: string, files: ReadonlySet<string>): Promise<number | null> {
  const indexes = [...files].filter((name) => /^index\.\d+$/.test(name));
  const newest = indexes.sort((a, b) => Number(b.slice(6)) - Number(a.slice(6)))[0];
  const stats = await lstat(bytesOf(newest ? `${folder}/${newest}` : folder)).catch(() => null);
  return stats === null ? null : Math.trunc(stats.mtimeMs);
}
