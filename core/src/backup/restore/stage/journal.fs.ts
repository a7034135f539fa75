import { readStart } from '@holdfast/plugin-api/files';
import { joinPath } from '../../archives/index.js';
import { Folder } from './folder.fs.js';
import type { Move } from './move-plan.fs.js';
import { foreignFolder, type Staging, writeDurably } from './staging.fs.js';

/** All changes to the target, written before the first is made. JSON lines in the working folder. */
export interface Journal {
  /** Directories to create above the moved entries, outermost first. */
  made: string[];
  moves: Move[];
  /**
   * Modes to set at the end, outermost first, for directories that would have denied access to the service.
   */
  modes: [path: string, mode: number][];
}

export const writeJournal = ({ folder, identity }: Staging, { made, moves, modes }: Journal): Promise<void> =>
  writeDurably(folder.at('journal'), [
    JSON.stringify({ folder: identity, made, modes }),
    ...moves.map((move) => JSON.stringify(move)),
  ]);

const longest = 2 ** 30;

/**
 * Null when it was already removed, which happens last. Throws AppError `conflict` when it was written for a
 * different folder.
 */
export async function readJournal({ folder, identity, path }: Staging): Promise<Journal | null> {
  const text = await readStart(folder.at('journal'), longest).then(String, (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const [head = '{}', ...moves] = text.split('\n').filter((line) => line !== '');
  const { folder: written, made, modes } = JSON.parse(head) as Omit<Journal, 'moves'> & { folder: string };
  if (written !== identity) throw foreignFolder(path);
  return { made, modes, moves: moves.map((line) => JSON.parse(line) as Move) };
}

/** The permissions that the owner needs to work in a directory. */
const access = 0o700n;

/**
 * Makes every extracted directory accessible, including those that deny access to their owner. Returns the
 * original modes of those it changed, by path, outermost first.
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
