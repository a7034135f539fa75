import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { link, mkdir, rename, rmdir, unlink } from '@holdfast/plugin-api/files';
import { conflict, say } from '../../../foundation/kernel/index.js';
import { baseNameOf } from '../../archives/index.js';
import { Folder, Folders } from './folder.fs.js';
import type { Journal } from './journal.fs.js';
import type { Move } from './move-plan.fs.js';
import type { Staging } from './staging.fs.js';
import type { RestoreTarget } from './target-files.fs.js';
import { look } from './target-files.fs.js';

/** The directories to create so that `path` exists, outermost first. */
export async function missingDirectories(
  path: string,
  target: Pick<RestoreTarget, 'look'> = { look },
): Promise<string[]> {
  const missing: string[] = [];
  for (let each = path; !(await target.look(each)); each = dirname(each)) missing.unshift(each);
  return missing;
}

/** May be repeated from any point: completed steps are skipped. */
export async function perform(staging: Staging, { made, moves, modes }: Journal): Promise<void> {
  const target = new Target(await Folder.held('/'));
  try {
    for (const path of made) {
      const place = (await target.above(path)).at(baseNameOf(path));
      await mkdir(place, { mode: 0o755 }).catch(unless('EEXIST')).catch(named(path));
    }
    for (const [index, move] of moves.entries()) {
      await performOne(target, staging, { ...move, aside: `${index}` }).catch(named(move.to));
    }
    // If a directory is inaccessible again, everything in it already has its mode.
    for (const [path, mode] of modes.toReversed()) {
      await target.setMode(path, mode).catch(unless('EACCES')).catch(named(path));
    }
  } finally {
    await target.close();
  }
}

/**
 * Reverses `perform` from any point; may be repeated too. A step that can't be undone does not stop the
 * others.
 */
export async function undo(staging: Staging, { made, moves }: Journal): Promise<void> {
  const target = new Target(await Folder.held('/'));
  const failures: unknown[] = [];
  try {
    for (const [index, move] of [...moves.entries()].reverse()) {
      await undoOne(target, staging, { ...move, aside: `${index}` })
        .catch(named(move.to))
        .catch((error: unknown) => failures.push(error));
    }
    for (const path of made.toReversed()) {
      const parent = await target.above(path).catch(() => null);
      if (parent) await rmdir(parent.at(baseNameOf(path))).catch(() => undefined);
    }
  } finally {
    await target.close();
  }
  if (failures.length > 0) throw failures[0];
}

/** The directories of the target, each opened without following symlinks. */
class Target extends Folders {
  /** Throws AppError `conflict` when it isn't a directory, or a symlink is on the way. */
  above(path: string): Promise<Folder> {
    return this.at(dirname(path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTDIR' && error.code !== 'ELOOP') throw error;
      throw conflict(
        say`restore_target_folder_replaced: ${{ path: dirname(path) }} is no longer a directory, or a symlink replaced a folder above it: nothing was written to it. Restore again when nothing else changes the target.`,
      );
    });
  }

  async setMode(path: string, mode: number): Promise<void> {
    const folder = await (await this.above(path)).sub(baseNameOf(path));
    try {
      await folder.chmod(mode);
    } finally {
      await folder.close();
    }
  }
}

/** Source and destination of a move. Other users cannot enter the source tree. */
interface Step {
  from: Buffer;
  folder: Folder;
  name: string;
  to: Buffer;
}

async function stepOf({ tree }: Staging, target: Target, { from, to }: Move): Promise<Step> {
  const folder = await target.above(to);
  const name = baseNameOf(to);
  return { from: tree.at(from), folder, name, to: folder.at(name) };
}

/** `aside`: its name in the folder of replaced entries. */
type Numbered = Move & { aside: string };

async function performOne(target: Target, staging: Staging, move: Numbered): Promise<void> {
  const { from, to, replace, aside } = move;
  const staged = await staging.tree.look(from);
  if (!staged) return;
  const step = await stepOf(staging, target, move);
  const there = await step.folder.look(step.name);
  if (there && same(staged, there)) return unlink(step.from);
  if (there && (!replace || there.isDirectory() || (await staging.aside.look(aside)))) {
    throw conflict(
      say`restore_target_appeared: ${{ path: to }} appeared while the files were extracted; nothing was overwritten.`,
    );
  }
  if (there) await rename(step.to, staging.aside.at(aside));
  await moveInto(staged, step, to);
}

async function undoOne(target: Target, staging: Staging, move: Numbered): Promise<void> {
  const [staged, before] = await Promise.all([staging.tree.look(move.from), staging.aside.look(move.aside)]);
  const step = await stepOf(staging, target, move).catch((error: NodeJS.ErrnoException) => {
    // Nothing has to be moved back: it is in the working folder, or was removed with its directory.
    if (!before && (staged || error.code === 'ENOENT')) return null;
    throw error;
  });
  if (!step) return;
  const there = await step.folder.look(step.name);
  if (staged && there && same(staged, there)) await unlink(step.to);
  else if (!staged && there) await carryBack(step);
  if (before) await rename(staging.aside.at(move.aside), step.to);
}

const same = (a: BigIntStats, b: BigIntStats): boolean => a.dev === b.dev && a.ino === b.ino;

/** Errors of file systems without hard links; `EMLINK`: the limit is reached. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Never replaces an entry that appeared at `to` in the meantime. */
async function moveInto(staged: BigIntStats, step: Step, to: string): Promise<void> {
  if (staged.isDirectory()) return rename(step.from, step.to);
  try {
    await link(step.from, step.to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw conflict(
        say`restore_target_appeared_late: ${{ path: to }} appeared while the files were being moved into place.`,
      );
    if (!noLinks.has(`${code}`)) throw error;
    return rename(step.from, step.to);
  }
  await unlink(step.from);
}

/**
 * Moves an entry out of the target. A directory without write permission for its owner cannot be moved, so it
 * gets that permission for the moment.
 */
async function carryBack({ folder, name, to, from }: Step): Promise<void> {
  try {
    await rename(to, from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    const held = await folder.sub(name);
    try {
      await held.chmod(0o700);
      await rename(to, from);
    } finally {
      await held.close();
    }
  }
}

/** Replaces the path of an open handle in an error with the real path. */
const named =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.path !== undefined) error.path = path;
    throw error;
  };

const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): void => {
    if (error.code !== code) throw error;
  };
