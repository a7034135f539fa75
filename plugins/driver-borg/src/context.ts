import type { Confinement } from './confinement.js';
import type { KeyFiles } from './key-files.js';
import type { OwnLocks } from './locks/own-locks.js';
import type { ToolCheck } from './version.js';

/** What every operation of one driver shares. */
export interface BorgContext {
  binary: string;
  dataFolder: string;
  tool: ToolCheck;
  keyFiles: KeyFiles;
  locks: OwnLocks;
  confinement: Confinement;
}
