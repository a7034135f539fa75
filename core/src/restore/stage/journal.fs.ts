import { readFile } from 'node:fs/promises';
import { joinPath } from '../../archives/index.js';
import { Folder } from './folder.fs.js';
import type { Move } from './move-plan.fs.js';
import { type Staging, strange, writeDurably } from './staging.fs.js';

/** What is done to the target, known before any of it is. JSON lines in the staging folder. */
export interface Journal {
  /** Directories that did not exist above what is moved, outermost first. */
  made: string[];
  moves: Move[];
  /** What directories get back at the end, outermost first: the service could not have worked in them. */
  modes: [path: string, mode: number][];
}

export const writeJournal = ({ folder, identity }: Staging, { made, moves, modes }: Journal): Promise<void> =>
  writeDurably(folder.at('journal'), [
    JSON.stringify({ folder: identity, made, modes }),
    ...moves.map((move) => JSON.stringify(move)),
  ]);

/** Null when it was removed already: it goes last. AppError `conflict` when it was written for another folder. */
export async function readJournal({ folder, identity, path }: Staging): Promise<Journal | null> {
  const text = await readFile(folder.at('journal'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const [head = '{}', ...moves] = text.split('\n').filter((line) => line !== '');
  const { folder: written, made, modes } = JSON.parse(head) as Omit<Journal, 'moves'> & { folder: string };
  if (written !== identity) throw strange(path);
  return { made, modes, moves: moves.map((line) => JSON.parse(line) as Move) };
}

/** What the owner needs to work in a directory. */
const access = 0o700n;

/**
 * Lets the service into every extracted directory, also into those that forbid it to their owner. Returns the modes that
 * it changed, by path, outermost first.
 */
export async function openUp(tree: string): Promise<Map<string, number>> {
  const modes = new Map<string, number>();
  const folder = await Folder.held(tree);
  try {
    await openBelow(folder, '', modes);
  } finally {
    await folder.close();
  }
  return modes;
}

async function openBelow(folder: Folder, path: string, modes: Map<string, number>): Promise<void> {
  const { mode } = await folder.stat();
  if ((mode & access) !== access) {
    modes.set(path, Number(mode & 0o7777n));
    await folder.chmod(Number((mode & 0o7777n) | access));
  }
  for (const entry of await folder.entries()) {
    if (!entry.isDirectory()) continue;
    const inner = await folder.sub(entry.name);
    try {
      await openBelow(inner, joinPath(path, entry.name), modes);
    } finally {
      await inner.close();
    }
  }
}
