import { constants, type Dirent } from 'node:fs';
import { lstat, open, opendir, readFile, realpath, statfs } from 'node:fs/promises';
import type { FolderEntry, FolderListing } from '@holdfast/core/server';
import { bytesOfName, nameOfBytes } from '@holdfast/plugin-api/driver';

/** Of a larger folder only these are sorted: the others are not looked at. */
const mostRead = 20_000;
const atOnce = 16;
const separator = Buffer.from('/');

/** The entries of a folder. Opens no special files. Rejects with the error of the system. */
export async function listFolder(path: string, { limit }: { limit: number }): Promise<FolderListing> {
  const folder = bytesOfName(path);
  const found: Dirent[] = [];
  let more = false;
  for await (const entry of await opendirOf(folder)) {
    more = found.length >= mostRead;
    if (more) break;
    found.push(entry);
  }
  const sorted = found
    .map((entry) => ({ entry, name: nameOfBytes(entry.name as unknown as Buffer) }))
    .sort(byKindAndName);
  const entries: FolderEntry[] = [];
  for (let from = 0; from < Math.min(limit, sorted.length); from += atOnce) {
    const batch = sorted.slice(from, Math.min(limit, from + atOnce));
    entries.push(...(await Promise.all(batch.map(({ entry, name }) => entryOf(folder, entry, name)))));
  }
  const [room, mount, repository] = await Promise.all([
    roomOf(folder),
    mountOf(folder),
    isRepository(folder),
  ]);
  return { entries, truncated: more || sorted.length > limit, freeBytes: room, mount, repository };
}

// Node accepts the encoding `buffer` and then returns names as Buffers, but its types don't know this.
const opendirOf = (folder: Buffer) =>
  opendir(folder as unknown as string, { encoding: 'buffer' as BufferEncoding });

interface Named {
  entry: Dirent;
  name: string;
}

const compare = new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare;
const byKindAndName = (a: Named, b: Named): number =>
  Number(b.entry.isDirectory()) - Number(a.entry.isDirectory()) || compare(a.name, b.name);

async function entryOf(folder: Buffer, entry: Dirent, name: string): Promise<FolderEntry> {
  const path = Buffer.concat([folder, separator, entry.name as unknown as Buffer]);
  const stats = await lstat(path).catch(() => null);
  const type = typeOf(stats ?? entry);
  return {
    ...{ name, type },
    size: type === 'file' ? (stats?.size ?? null) : null,
    modified: stats === null ? null : Math.trunc(stats.mtimeMs),
    mode: stats === null ? null : stats.mode & 0o7777,
    readable: type === 'file' || type === 'directory' ? await opens(path, type) : null,
    repository: type === 'directory' && (await isRepository(path)),
  };
}

function typeOf(found: Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'>): FolderEntry['type'] {
  if (found.isDirectory()) return 'directory';
  if (found.isSymbolicLink()) return 'symlink';
  return found.isFile() ? 'file' : 'other';
}

/** Neither follows a symlink nor waits for a pipe that replaced the file meanwhile. */
const carefully = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens it instead of calling `access`, which ignores the capability to read every file. */
export async function opens(path: Buffer, type: 'file' | 'directory'): Promise<boolean> {
  try {
    const handle = await (type === 'file' ? open(path, carefully) : opendirOf(path));
    await handle.close();
    return true;
  } catch {
    return false;
  }
}

/** A folder with the configuration of a Borg repository. */
async function isRepository(folder: Buffer): Promise<boolean> {
  const config = Buffer.concat([folder, Buffer.from('/config')]);
  try {
    if (!(await lstat(config)).isFile()) return false;
    const file = await open(config, carefully);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
      const text = buffer.toString('latin1', 0, bytesRead);
      return /^\[repository\]\s*$/m.test(text) && /^version\s*=/m.test(text);
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

const roomOf = (folder: Buffer): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );

/** The mount point that the folder lies below. */
async function mountOf(folder: Buffer): Promise<string | null> {
  try {
    const real = nameOfBytes((await realpath(folder, { encoding: 'buffer' })) as Buffer);
    const table = await readFile('/proc/self/mountinfo', 'latin1');
    const points = table.split('\n').flatMap((line) => {
      const point = line.split(' ')[4];
      return point === undefined ? [] : [nameOfBytes(Buffer.from(unescaped(point), 'latin1'))];
    });
    const above = points.filter(
      (point) => real === point || real.startsWith(point === '/' ? '/' : `${point}/`),
    );
    return above.sort((a, b) => b.length - a.length)[0] ?? null;
  } catch {
    return null;
  }
}

/** Spaces, tabs, line feeds and backslashes are written as octal numbers. */
const unescaped = (point: string): string =>
  point.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
