import { dirname } from 'node:path';
import { mkdir, open, rmdir, statfs } from '@holdfast/plugin-api/files';
import { conflict, say } from '../../../foundation/kernel/index.js';
import { baseNameOf } from '../../archives/index.js';
import { Folder, unlessMissing } from './folder.fs.js';
import { empty, removeTree } from './remove-tree.fs.js';
import { identityOf } from './target-files.fs.js';

/**
 * The working folder of one restore on the target's file system. It is held open, because others may own its
 * parent and could move it.
 */
export interface Staging {
  /** Where it was created. */
  path: string;
  /** Device and inode. */
  identity: string;
  folder: Folder;
  /** Contains the entries under their archive paths. */
  tree: Folder;
  /** Contains overwritten entries until the restore has succeeded. */
  aside: Folder;
}

export const stagingName = (jobId: number, installation: string): string =>
  `.holdfast-restore-${installation.slice(0, 8)}-${jobId}`;

/** Rejects when the folder already exists, because then it is not ours. */
export async function makeStaging(path: string): Promise<Staging> {
  const parent = await Folder.open(dirname(path));
  try {
    const place = parent.at(baseNameOf(path));
    await mkdir(place, { mode: 0o700 });
    try {
      const folder = await ownFolder(parent, path);
      for (const name of ['tree', 'aside']) await mkdir(folder.at(name), { mode: 0o700 });
      return await staging(path, folder);
    } catch (error) {
      // Removes only empty folders of any owner.
      for (const each of ['/tree', '/aside', ''])
        await rmdir(Buffer.concat([place, Buffer.from(each)])).catch(() => undefined);
      throw error;
    }
  } finally {
    await parent.close();
  }
}

/**
 * Null when it does not exist or its removal has started. Throws AppError `conflict` when it isn't a folder
 * of the service.
 */
export async function openStaging(path: string): Promise<Staging | null> {
  const folder = await openFolder(path);
  if (!folder) return null;
  return staging(path, folder).catch(async (error: NodeJS.ErrnoException) => {
    await folder.close();
    return unlessMissing(error);
  });
}

async function openFolder(path: string): Promise<Folder | null> {
  const parent = await Folder.open(dirname(path)).catch(unlessMissing);
  if (!parent) return null;
  try {
    return (await parent.look(baseNameOf(path))) && (await ownFolder(parent, path));
  } finally {
    await parent.close();
  }
}

async function ownFolder(parent: Folder, path: string): Promise<Folder> {
  const folder = await parent.sub(baseNameOf(path)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOTDIR' ? foreignFolder(path) : error;
  });
  const { uid, mode } = await folder.stat();
  if (Number(uid) === process.geteuid?.() && (mode & 0o777n) === 0o700n) return folder;
  if (!(await keepsOwners(folder))) return folder;
  await folder.close();
  throw foreignFolder(path);
}

/** ext, XFS, Btrfs, tmpfs, ramfs, ZFS, overlay, F2FS and bcachefs. */
const plainTypes = [
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6],
  ...[0x2fc12fc1, 0x794c7630, 0xf2f52010, 0xca451a4e],
];

/** False for shares and sticks that give all users the same rights. */
const keepsOwners = async ({ path }: Folder): Promise<boolean> =>
  plainTypes.includes((await statfs(path)).type);

async function staging(path: string, folder: Folder): Promise<Staging> {
  const tree = await folder.sub('tree');
  const aside = await folder.sub('aside').catch(async (error) => {
    await tree.close();
    throw error;
  });
  return { path, identity: identityOf(await folder.stat()), folder, tree, aside };
}

export const foreignFolder = (path: string): Error =>
  conflict(
    say`restore_folder_foreign: ${{ path }} is not the working folder of this restore, so Holdfast did nothing with it. Find out who created it, remove it, and restore again.`,
  );

export async function closeStaging({ tree, aside, folder }: Staging): Promise<void> {
  await Promise.all([tree, aside, folder].map((each) => each.close()));
}

/** Removes the folder and its contents, the journal last. Keeps anything else that now has its path. */
export async function removeStaging(path: string, open?: Staging | null): Promise<void> {
  const folder = open?.folder ?? (await openFolder(path));
  if (!folder) return;
  const identity = identityOf(await folder.stat());
  try {
    for (const name of ['tree', 'aside']) await removeTree(folder, name);
    await empty(folder);
  } finally {
    if (!open) await folder.close();
  }
  const parent = await Folder.open(dirname(path)).catch(unlessMissing);
  if (!parent) return;
  try {
    const there = await parent.look(baseNameOf(path));
    if (there && identityOf(there) === identity) await rmdir(parent.at(baseNameOf(path)));
  } finally {
    await parent.close();
  }
}

/** Writes a file and resolves once it is completely on disk. */
export async function writeDurably(
  path: Buffer,
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
