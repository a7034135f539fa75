import { constants } from 'node:fs';
import { type ArchiveEntry, canonicalPath } from '@holdfast/plugin-api/driver';
import { copyFile, unlink, utimes } from '@holdfast/plugin-api/files';
import { baseNameOf, parentOf } from '../../archives/index.js';
import { type ManifestEntry, type RestoreOrder, Selection, stripped } from '../restore.rules.js';
import { Folder, Folders, unlessMissing } from './folder.fs.js';
import type { Lack } from './lacks.rules.js';
import { maxManifestEntries } from './move-plan.fs.js';
import { SurveyNames } from './survey-names.js';
import { below } from './target-files.fs.js';

export interface Expected {
  entries: AsyncIterable<ArchiveEntry[]>;
  order: RestoreOrder;
  /** Limitations of the file system of the tree. */
  lacks?: ReadonlySet<Lack>;
}

/** Files that were not restored, with manifest entries for the first of them. */
export interface LeftOut {
  count: number;
  entries: ManifestEntry[];
}

/**
 * Removes extracted files whose size differs from the archive listing, and those that the tool reports as
 * damaged, so that a partial or zero-filled file never passes for a complete one.
 */
export async function dropIncomplete(
  tree: string,
  { entries, order, lacks = new Set() }: Expected,
): Promise<LeftOut> {
  const selection = new Selection(order.paths);
  const names = new SurveyNames();
  const folders = new Folders(await Folder.held(tree));
  const bad = new Set<string>();
  const left: LeftOut = { count: 0, entries: [] };
  try {
    for await (const batch of entries) {
      for (const entry of batch) {
        const path = canonicalPath(entry.path);
        const damaged = names.isDamaged(entry, path);
        // The list is read a second time, so its names are checked again.
        if (!selection.has(path) || names.add(entry, path) !== null || entry.type !== 'file') continue;
        const place = stripped(path, order.stripComponents);
        if (place === null || (await isComplete(folders, { entry, path, bad, damaged, lacks }))) continue;
        bad.add(path);
        note(left, { path: below(order.destination, place), size: entry.size });
      }
    }
  } finally {
    await folders.close();
  }
  return left;
}

function note(left: LeftOut, { path, size }: Pick<ManifestEntry, 'path' | 'size'>): void {
  left.count += 1;
  if (left.entries.length < maxManifestEntries)
    left.entries.push({ path, type: 'file', result: 'left_out', size });
}

interface Listed {
  entry: ArchiveEntry;
  path: string;
  bad: Set<string>;
  damaged: boolean;
  lacks: ReadonlySet<Lack>;
}

/** False for a file that does not exist, or was incomplete and has been removed. */
async function isComplete(folders: Folders, { entry, path, bad, damaged, lacks }: Listed): Promise<boolean> {
  const name = baseNameOf(path);
  if (lacks.has('hard_links') && entry.hardLinkTarget !== null)
    await copyFirst(folders, { path, first: canonicalPath(entry.hardLinkTarget), mtime: entry.mtime });
  // Entries below a symlink or outside the tree were not extracted.
  const folder = await folders.at(parentOf(path)).catch(unlessMissing);
  const there = folder && (await folder.look(name).catch(unlessMissing));
  if (!there) return false;
  if (!damaged && there.isFile() && isWhole(Number(there.size), entry, bad)) {
    // Where the tool may not set a mode, it does not set the time either.
    if (lacks.has('modes')) await setTime(folder.at(name), entry.mtime).catch(() => undefined);
    return true;
  }
  if (!there.isDirectory()) await unlink(folder.at(name));
  return false;
}

const setTime = (at: Buffer, mtime: number) => utimes(at, mtime / 1000, mtime / 1000);

/** Gives a further name of a hard-linked file its own content. */
async function copyFirst(
  folders: Folders,
  { path, first, mtime }: { path: string; first: string; mtime: number },
): Promise<void> {
  const from = await folders.take(parentOf(first)).catch(unlessMissing);
  if (!from) return;
  try {
    const to = (await folders.at(parentOf(path))).at(baseNameOf(path));
    await copyFile(from.at(baseNameOf(first)), to, constants.COPYFILE_EXCL);
    await setTime(to, mtime);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') unlessMissing(error as NodeJS.ErrnoException);
  } finally {
    await from.close();
  }
}

const isWhole = (size: number, { hardLinkTarget, size: whole }: ArchiveEntry, bad: Set<string>): boolean =>
  hardLinkTarget !== null ? !bad.has(canonicalPath(hardLinkTarget)) : size === whole;
