import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOfBytes } from '@holdfast/plugin-api/driver';
import { baseNameOf, parentOf } from '../archives/index.js';
import { Folder, Folders, removePath, unlessMissing } from '../restore/index.js';
import type { Restored, Source } from './compare.rules.js';

const scratchParent = (dataDirectory: string): string => join(dataDirectory, 'drills');

export const scratchFolder = (dataDirectory: string, jobId: number): string =>
  join(scratchParent(dataDirectory), `${jobId}`);

/** Where servers that run as other users try dumps: they could not reach the data folder. */
export const dumpScratchParent = '/var/tmp';

const dumpScratchPrefix = (dataDirectory: string): string =>
  `holdfast-drill-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12)}-`;

export const dumpScratch = (dataDirectory: string, jobId: number): string =>
  join(dumpScratchParent, `${dumpScratchPrefix(dataDirectory)}${jobId}`);

/** Makes the folder that holds the scratch folders, and returns it. */
export async function prepareScratch(dataDirectory: string): Promise<string> {
  const parent = scratchParent(dataDirectory);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return parent;
}

/** Creates an empty private folder. Removes leftovers of a lost job with the same number first. */
export async function makeScratch(folder: string): Promise<void> {
  await removePath(folder);
  await mkdir(folder, { mode: 0o700 });
}

export async function removeScratch(dataDirectory: string, jobId: number): Promise<void> {
  await removePath(scratchFolder(dataDirectory, jobId));
  await removePath(dumpScratch(dataDirectory, jobId));
}

/** Makes room again for the files that follow. */
export async function dropScratch(folder: string, path: string): Promise<void> {
  const folders = new Folders(await Folder.held(folder));
  try {
    const parent = await folders.at(parentOf(path)).catch(unlessUnreachable);
    if (parent) await unlink(parent.at(baseNameOf(path))).catch(unlessUnreachable);
  } finally {
    await folders.close();
  }
}

/** Removes the scratch folders of jobs that do not run. */
export async function removeOldScratch(
  dataDirectory: string,
  isRunning: (jobId: number) => Promise<boolean>,
): Promise<void> {
  const prefix = dumpScratchPrefix(dataDirectory);
  const places = [
    { parent: scratchParent(dataDirectory), of: (name: string) => name },
    {
      parent: dumpScratchParent,
      of: (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : null),
    },
  ];
  for (const { parent, of } of places)
    for (const name of await readdir(parent).catch(() => [])) {
      const id = of(name);
      if (id === null || (/^\d+$/.test(id) && (await isRunning(Number(id))))) continue;
      await removePath(join(parent, name));
    }
}

/** Looks at files below a folder without following symlinks. */
export class Tree {
  private constructor(private readonly folders: Folders) {}

  static async open(path: string): Promise<Tree> {
    return new Tree(new Folders(await Folder.held(path)));
  }

  /** Null if it does not exist. */
  async look(path: string): Promise<(Restored & { ctime: number }) | null> {
    const folder = await this.folders.at(parentOf(path)).catch(unlessUnreachable);
    const at = folder?.at(baseNameOf(path));
    const stats = at && (await lstat(at, { bigint: true }).catch(unlessUnreachable));
    if (!stats) return null;
    const linkTarget = stats.isSymbolicLink()
      ? nameOfBytes(await readlink(at, { encoding: 'buffer' }))
      : null;
    return {
      type: typeOf(stats),
      size: Number(stats.size),
      mtime: Number(stats.mtimeNs / 1000n) / 1000,
      ctime: Number(stats.ctimeNs / 1000n) / 1000,
      linkTarget,
      sha256: null,
    };
  }

  /** The SHA-256 of a regular file; null when it can't be read. */
  async hash(path: string, signal: AbortSignal): Promise<string | null> {
    const folder = await this.folders.at(parentOf(path)).catch(unlessUnreachable);
    return folder ? hashOf(folder.at(baseNameOf(path)), signal) : null;
  }

  /** Lets this user read a file that was restored without that permission. */
  async makeReadable(path: string): Promise<void> {
    const folder = await this.folders.at(parentOf(path));
    await chmod(folder.at(baseNameOf(path)), 0o600);
  }

  close(): Promise<void> {
    return this.folders.close();
  }
}

/** Reads the current source; its hash only if size and time match the archive before and after the read. */
export async function readSource(
  tree: Tree,
  { path, isSame, signal }: { path: string; isSame(found: Restored): boolean; signal: AbortSignal },
): Promise<Source | 'missing'> {
  const before = await tree.look(path);
  if (!before) return 'missing';
  const { ctime } = before;
  if (!isSame(before)) return { unchanged: false, ctime, sha256: null };
  const sha256 = before.type === 'file' ? await tree.hash(path, signal) : null;
  const after = await tree.look(path);
  const unchanged = after !== null && isSame(after) && after.ctime === ctime;
  return { unchanged, ctime, sha256: unchanged ? sha256 : null };
}

/** Small enough for the processor's cache, where the hash then finds it. */
const pieceBytes = 131_072;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

async function hashOf(path: Buffer, signal: AbortSignal): Promise<string | null> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(unlessUnreachable);
  if (!file) return null;
  try {
    signal.throwIfAborted();
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

function unlessUnreachable(error: NodeJS.ErrnoException): null {
  return error.code === 'EACCES' || error.code === 'EPERM' ? null : unlessMissing(error);
}

const typeOf = (stats: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }) =>
  stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'other';
