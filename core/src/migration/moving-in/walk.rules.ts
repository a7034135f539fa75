import { type Message, say } from '../../foundation/kernel/index.js';

export interface FoundRepository {
  /** Bytes that are not UTF-8 are lone surrogates. */
  path: string;
  toolId: string | null;
  keyInside: boolean | null;
  /** Milliseconds. */
  modified: number | null;
  broken: Message | null;
}

export interface WalkTally {
  folders: number;
  unreadable: number;
  found: number;
  /** A limit ended the walk. */
  truncated: boolean;
  at: string;
}

export const newTally = (): WalkTally => ({ folders: 0, unreadable: 0, found: 0, truncated: false, at: '' });

export interface WalkLimits {
  depth: number;
  folders: number;
  found: number;
  ms: number;
}

export const walkLimits: Omit<WalkLimits, 'depth'> = { folders: 2_000_000, found: 20_000, ms: 30 * 60_000 };

/** Kernel file systems, which hold no real files. */
export const kernelFolders: readonly string[] = ['/proc', '/sys', '/dev'];

/** True when the walk must end. Notes why. */
export function isOver(tally: WalkTally, limits: WalkLimits, elapsedMs: number): boolean {
  const over = tally.folders >= limits.folders || tally.found >= limits.found || elapsedMs >= limits.ms;
  if (over) tally.truncated = true;
  return over;
}

/** Why a repository at this path can't be registered. */
export const nameProblem = (path: string): Message | null =>
  /[\0\r\n\p{Surrogate}]|::|:$/u.test(path)
    ? say`found_name_unusable: Borg cannot use this path: rename the folder.`
    : null;

/** The folder, or one above it, was found already. */
export function isWithin(path: string, found: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (found.has(path.slice(0, end))) return true;
  return false;
}
