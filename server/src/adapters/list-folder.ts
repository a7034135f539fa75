import type { Dirent } from 'node:fs';
import type { FolderEntry, FolderListing } from '@holdfast/core/server';
import { bytesOfName, nameOfBytes } from '@holdfast/plugin-api/driver';
import { entriesOf, lstat, mountAbove, opens, readStart, realpath, statfs } from '@holdfast/plugin-api/files';

/** Of a larger folder only these are sorted: the others are not looked at. */
const mostRead = 20_000;
const atOnce = 16;
const separator = Buffer.from('/');

/** The entries of a folder. Opens no special files. Rejects with the error of the system. */
export async function listFolder(path: string, { limit }: { limit: number }): Promise<FolderListing> {
  const folder = bytesOfName(path);
  const found: Entry[] = [];
  let more = false;
  for await (const entry of entriesOf(folder)) {
    more = found.length >= mostRead;
    if (more) break;
    found.push(entry);
  }
  const sorted = found.map((entry) => ({ entry, name: nameOfBytes(entry.name) })).sort(byKindAndName);
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

type Entry = Dirent<Buffer>;

interface Named {
  entry: Entry;
  name: string;
}

const compare = new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare;
const byKindAndName = (a: Named, b: Named): number =>
  Number(b.entry.isDirectory()) - Number(a.entry.isDirectory()) || compare(a.name, b.name);

async function entryOf(folder: Buffer, entry: Entry, name: string): Promise<FolderEntry> {
  const path = Buffer.concat([folder, separator, entry.name]);
  const stats = await lstat(path).catch(() => null);
  const type = typeOf(stats ?? entry);
  return {
    name,
    type,
    size: type === 'file' ? (stats?.size ?? null) : null,
    modified: stats === null ? null : Math.trunc(stats.mtimeMs),
    mode: stats === null ? null : stats.mode & 0o7777,
    readable: type === 'file' || type === 'directory' ? await canOpen(path) : null,
    repository: type === 'directory' && (await isRepository(path)),
  };
}

function typeOf(found: Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'>): FolderEntry['type'] {
  if (found.isDirectory()) return 'directory';
  if (found.isSymbolicLink()) return 'symlink';
  return found.isFile() ? 'file' : 'other';
}

/** Opens it instead of calling `access`, which ignores the capability to read every file. */
export const canOpen = (path: Buffer): Promise<boolean> =>
  opens(path).then(
    () => true,
    () => false,
  );

/** A folder with the configuration of a Borg repository. */
async function isRepository(folder: Buffer): Promise<boolean> {
  const config = Buffer.concat([folder, Buffer.from('/config')]);
  try {
    const text = (await readStart(config, 1024)).toString('latin1');
    return /^\[repository\]\s*$/m.test(text) && /^version\s*=/m.test(text);
  } catch {
    return false;
  }
}

const roomOf = (folder: Buffer): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );

/** The mount point above the folder. */
const mountOf = (folder: Buffer): Promise<string | null> =>
  realpath(folder, { encoding: 'buffer' }).then(
    (real) => nameOfBytes(Buffer.from(mountAbove((real as Buffer).toString('latin1')), 'latin1')),
    () => null,
  );
