import type { BigIntStats } from 'node:fs';
import { chmod, link, mkdir, readFile, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bytesOfName } from '../../domain/lossless-bytes.js';
import { conflict } from '../../errors.js';
import type { Move } from './move-plan.js';
import { type Staging, writeDurably } from './staging.js';
import type { RestoreTarget } from './target.js';
import { look } from './target-files.js';

/** What is done to the target, known before any of it is. JSON lines in the staging folder. */
export interface Journal {
  /** Directories that did not exist above what is moved, outermost first. */
  made: string[];
  moves: Move[];
}

export const writeJournal = ({ journal }: Staging, { made, moves }: Journal): Promise<void> =>
  writeDurably(journal, [JSON.stringify(made), ...moves.map((move) => JSON.stringify(move))]);

/** Null when it was removed already: it goes last. */
export async function readJournal({ journal }: Staging): Promise<Journal | null> {
  const text = await readFile(journal, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const [made = '[]', ...moves] = text.split('\n').filter((line) => line !== '');
  return { made: JSON.parse(made) as string[], moves: moves.map((line) => JSON.parse(line) as Move) };
}

/** The directories that must be made so that `path` is there, outermost first. */
export async function missingDirectories(
  path: string,
  target: Pick<RestoreTarget, 'look'> = { look },
): Promise<string[]> {
  const missing: string[] = [];
  for (let each = path; !(await target.look(each)); each = dirname(each)) missing.unshift(each);
  return missing;
}

/** May be repeated from any point: what was done is left as it is. */
export async function perform(staging: Staging, { made, moves }: Journal): Promise<void> {
  for (const path of made) {
    await mkdir(bytesOfName(path), { mode: 0o755 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  for (const [index, move] of moves.entries()) await performOne(move, asideOf(staging, index));
}

/** The reverse of `perform`, from any point of it; may be repeated too. */
export async function undo(staging: Staging, { made, moves }: Journal): Promise<void> {
  for (const [index, move] of [...moves.entries()].reverse()) await undoOne(move, asideOf(staging, index));
  for (const path of made.toReversed()) await rmdir(bytesOfName(path)).catch(() => undefined);
}

const asideOf = ({ aside }: Staging, index: number): string => join(aside, String(index));

async function performOne({ from, to, replace }: Move, aside: string): Promise<void> {
  const staged = await look(from);
  if (!staged) return;
  const there = await look(to);
  if (there && same(staged, there)) return takeOff(from);
  if (there && (!replace || there.isDirectory() || (await look(aside)))) {
    throw conflict(`${to} came into being while the files were extracted; nothing was overwritten.`);
  }
  if (there) await rename(bytesOfName(to), aside);
  await moveInto(staged, from, to);
}

async function undoOne({ from, to }: Move, aside: string): Promise<void> {
  const [staged, there, before] = await Promise.all([look(from), look(to), look(aside)]);
  if (staged && there && same(staged, there)) await unlink(bytesOfName(to));
  else if (!staged && there) await renameEven(there, to, from);
  if (before) await rename(aside, bytesOfName(to));
}

const same = (a: BigIntStats, b: BigIntStats): boolean => a.dev === b.dev && a.ino === b.ino;

/** Never replaces what came into being at `to` in the meantime. */
async function moveInto(staged: BigIntStats, from: string, to: string): Promise<void> {
  if (staged.isDirectory()) return renameEven(staged, from, to);
  try {
    await link(bytesOfName(from), bytesOfName(to));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw conflict(`${to} came into being while the files were moved there.`);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EMLINK' && code !== 'EOPNOTSUPP') throw error;
    return rename(bytesOfName(from), bytesOfName(to));
  }
  await takeOff(from);
}

/** Out of an extracted directory, which may forbid its owner to write and is not needed any more. */
async function takeOff(from: string): Promise<void> {
  await unlink(bytesOfName(from)).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error;
    await chmod(bytesOfName(dirname(from)), 0o700);
    await unlink(bytesOfName(from));
  });
}

/** A directory that forbids its owner to write can't get another parent: it may for that moment. */
async function renameEven(stats: BigIntStats, from: string, to: string): Promise<void> {
  const [source, target] = [bytesOfName(from), bytesOfName(to)];
  try {
    await rename(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || !stats.isDirectory()) throw error;
    const mode = Number(stats.mode & 0o7777n);
    await chmod(source, mode | 0o700);
    await rename(source, target);
    await chmod(target, mode);
  }
}
