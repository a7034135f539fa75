import { constants, type Dirent } from 'node:fs';
import { lstat, open, opendir, readdir } from 'node:fs/promises';
import { bytesOfName, nameOfBytes } from '@holdfast/plugin-api/driver';
import { mayBeRepository, mostOfFile, recognise } from './recognise.rules.js';
import { type FoundRepository, isOver, type WalkLimits, type WalkTally } from './walk.rules.js';

/** More would use up the threads in which this process reads files when a disk is slow. */
const atOnce = 3;
/** A file system that hangs holds a thread. After as many folders that hang the walk ends. */
const patienceMs = 10_000;
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
 * Finds repositories in a folder and below it. Symlinks are not followed; what is inside a repository is left out.
 * Rejects when the root can't be read, and with the reason of `signal`.
 */
export async function walkFolders(walk: Walk): Promise<void> {
  const { limits, tally, signal, skipped } = walk;
  const begun = performance.now();
  const waiting: Folder[] = [{ path: walk.root, depth: 0 }];
  let hanging = 0;
  let failure: unknown = null;
  const patience = new Patience();
  const read = (folder: Folder) =>
    patience.with(look(folder.path)).catch((error: unknown) => {
      if (!isNotReadable(error) || folder.depth === 0) throw error;
      tally.unreadable += 1;
      if (error instanceof HangingFolder) hanging += 1;
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
  try {
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
  } finally {
    patience.end();
  }
  signal.throwIfAborted();
  if (failure !== null) throw failure;
}

class HangingFolder extends Error {}

/** A time limit for each of very many reads, without a timer for each. */
class Patience {
  readonly #reads = new Map<(error: Error) => void, number>();
  readonly #timer = setInterval(() => {
    const late = performance.now() - patienceMs;
    for (const [reject, begun] of this.#reads) if (begun < late) reject(new HangingFolder());
  }, 1_000);

  with<T>(read: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reads.set(reject, performance.now());
      read.then(resolve, reject).finally(() => this.#reads.delete(reject));
    });
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

const isNotReadable = (error: unknown): boolean =>
  error instanceof HangingFolder || typeof (error as { code?: unknown } | null)?.code === 'string';

/** What is in one folder: the repository that it is, or the names of the folders in it. */
async function look(path: string): Promise<{ names: string[]; found: FoundRepository | null }> {
  const files = new Set<string>();
  const names: string[] = [];
  const read = await entriesOf(path);
  const note = (entry: Dirent) => {
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
async function entriesOf(path: string): Promise<Dirent[] | AsyncIterable<Dirent>> {
  const folder = bytesOf(path) as string;
  // Bytes as characters take less memory than Buffers, which Node wants beside a path that is one.
  const encoding = (isPlain(path) ? 'latin1' : 'buffer') as BufferEncoding;
  if ((await lstat(folder)).size > largeFolder) return opendir(folder, { encoding, bufferSize: 1024 });
  return readdir(folder, { encoding, withFileTypes: true });
}

const bytesOf = (path: string): string | Buffer => (isPlain(path) ? path : bytesOfName(path));

/** Node returns Buffers for the encoding `buffer`, but its types don't know this. */
function nameOf({ name }: { name: string | Buffer }): string {
  if (typeof name !== 'string') return nameOfBytes(name);
  return isPlain(name) ? name : nameOfBytes(Buffer.from(name, 'latin1'));
}

/** Neither follows a symlink nor waits for a pipe that replaced the file meanwhile. */
const carefully = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function begin(folder: string, name: string, files: ReadonlySet<string>): Promise<string | null> {
  if (!files.has(name)) return null;
  try {
    const file = await open(bytesOf(`${folder}/${name}`), carefully);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(mostOfFile), 0, mostOfFile, 0);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

async function hasEntry(folder: string): Promise<boolean> {
  try {
    const data = await opendir(bytesOf(`${folder}/data`) as string);
    const first = await data.read();
    await data.close();
    return first !== null;
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
