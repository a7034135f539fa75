import { chmod, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of one restore on the target's file system: what was extracted, what was moved aside, and the journal. */
export interface Staging {
  folder: string;
  /** Holds the entries under their archive paths. */
  tree: string;
  /** Holds what was overwritten, until all is well. */
  aside: string;
  journal: string;
}

export const stagingAt = (folder: string): Staging => ({
  folder,
  tree: join(folder, 'tree'),
  aside: join(folder, 'aside'),
  journal: join(folder, 'journal'),
});

export const stagingName = (jobId: number, installation: string): string =>
  `.holdfast-restore-${installation.slice(0, 8)}-${jobId}`;

/** Rejects when the folder is there already: it is none of ours then. */
export async function makeStaging(folder: string): Promise<Staging> {
  const staging = stagingAt(folder);
  await mkdir(folder, { mode: 0o700 });
  await mkdir(staging.tree, { mode: 0o700 });
  await mkdir(staging.aside, { mode: 0o700 });
  return staging;
}

/** Removes the folder, its journal last. Symlinks are not followed. */
export async function removeStaging(folder: string): Promise<void> {
  const staging = stagingAt(folder);
  for (const part of [staging.tree, staging.aside, folder]) await removeTree(part);
}

/** Also one whose directories forbid their owner to write. Symlinks are not followed. */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
    await openUp(Buffer.from(path));
    await rm(path, { recursive: true, force: true });
  });
}

/** Extracted directories may forbid their owner to write. */
async function openUp(folder: Buffer): Promise<void> {
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  for (const entry of entries) {
    if (entry.isDirectory()) await openUp(Buffer.concat([folder, Buffer.from('/'), entry.name]));
  }
}

/** Writes a file that is whole on the disk before this resolves. */
export async function writeDurably(
  path: string,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const line of lines) await file.appendFile(`${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
