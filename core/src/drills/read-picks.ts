import { setTimeout as pause } from 'node:timers/promises';
import { isWhole, type Restored, type Source, sameTime } from './compare.rules.js';
import type { Candidate } from './sample.rules.js';
import { readSource, Tree } from './scratch.fs.js';

interface Reading {
  /** Where the picks are restored. */
  folder: string;
  /** Whether the tool has ended: what is not there then does not come. */
  isOver(): boolean;
  /** Whether the sources are on this machine. */
  fromHere: boolean;
  signal: AbortSignal;
}

export interface Read {
  /** What was restored, with its hash; null when nothing is there. */
  restored: Restored | null;
  /** What is at the source now, with its hash if it is unchanged. */
  source: Source | 'missing' | null;
}

/**
 * Reads the picks while the tool restores them, each as soon as the tool is done with it. One after the other: the tool
 * has a lower priority than the service, and several readers would take its processor.
 */
export async function readPicks(
  picks: readonly Candidate[],
  { folder, isOver, fromHere, signal }: Reading,
): Promise<Map<Candidate, Read>> {
  const found = new Map<Candidate, Read>();
  const [there, here] = [await Tree.open(folder), await Tree.open('/')];
  try {
    for (const pick of picks) {
      const restored = await readRestored(there, pick, { isOver, signal });
      found.set(pick, { restored, source: fromHere ? await readItsSource(here, pick, signal) : null });
    }
    return found;
  } finally {
    await Promise.all([there.close(), here.close()]);
  }
}

function readItsSource(tree: Tree, { entry, path }: Candidate, signal: AbortSignal) {
  const { type, size, mtime, hardLinkTarget } = entry;
  const isSame = (found: Restored) =>
    found.type === type && (hardLinkTarget !== null || found.size === size) && sameTime(mtime, found.mtime);
  return readSource(tree, { path, isSame, signal });
}

/** How often to look for a file that is still being restored. Milliseconds. */
const lookEvery = 50;

async function readRestored(
  tree: Tree,
  { entry, path }: Candidate,
  { isOver, signal }: Pick<Reading, 'isOver' | 'signal'>,
): Promise<Restored | null> {
  let over = isOver();
  let found = await tree.look(path);
  while (!over && !isWhole(entry, found)) {
    await pause(lookEvery, undefined, { signal });
    over = isOver();
    found = await tree.look(path);
  }
  if (found?.type !== 'file') return found;
  const sha256 = await tree.hash(path, signal);
  if (sha256 !== null) return { ...found, sha256 };
  await tree.makeReadable(path);
  return { ...found, sha256: await tree.hash(path, signal) };
}
