import { setTimeout as pause } from 'node:timers/promises';
import { isWhole, type Restored, type Source, sameTime } from './compare.rules.js';
import type { Candidate } from './sample.rules.js';
import { readSource, Tree } from './scratch.fs.js';

/** Reads the current source of each pick, and hashes unchanged ones. */
export const readSources = (picks: readonly Candidate[], signal: AbortSignal) =>
  readAll<Source | 'missing'>('/', picks, (tree, { entry, path }) => {
    const { type, size, mtime, hardLinkTarget } = entry;
    const isSame = (found: Restored) =>
      found.type === type && (hardLinkTarget !== null || found.size === size) && sameTime(mtime, found.mtime);
    return readSource(tree, { path, isSame, signal });
  });

interface Following {
  folder: string;
  /** Whether the tool has ended. Files missing then will not appear. */
  isOver(): boolean;
  signal: AbortSignal;
}

/** How often to look for a file that is still being restored. Milliseconds. */
const lookEvery = 50;

/**
 * Reads the restored file of each pick with its hash; null if missing. Reads each file as soon as the tool
 * has written it.
 */
export const readRestored = (picks: readonly Candidate[], { folder, isOver, signal }: Following) =>
  readAll<Restored | null>(folder, picks, async (tree, { entry, path }) => {
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
  });

async function readAll<T>(
  root: string,
  picks: readonly Candidate[],
  read: (tree: Tree, pick: Candidate) => Promise<T>,
): Promise<Map<Candidate, T>> {
  const found = new Map<Candidate, T>();
  const tree = await Tree.open(root);
  try {
    for (const pick of picks) found.set(pick, await read(tree, pick));
    return found;
  } finally {
    await tree.close();
  }
}
