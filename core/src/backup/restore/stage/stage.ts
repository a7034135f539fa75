import type { Message } from '../../../foundation/kernel/index.js';
import type { PackedOwners } from '../../../foundation/ports/tree-packer.js';
import type { Journal } from './journal.fs.js';
import type { Lack } from './lacks.rules.js';
import type { Modes } from './move-plan.fs.js';

interface Delivering {
  lacks: ReadonlySet<Lack>;
  /** By their numbers, or by the names of these. */
  owners: PackedOwners;
}

/** The working folder of one restore, next to its target. */
export interface Stage {
  /**
   * Local folder into which the tool extracts, available after `make`. The moves of a journal start there.
   */
  readonly tree: string;
  /** Rejects when the working folder already exists, because then it is not ours. */
  make(): Promise<void>;
  /** Makes every extracted directory accessible. Returns the original modes of those it changed. */
  openUp(): Promise<Modes>;
  /**
   * Transfers the extracted files to the host of the target. Returns warnings about differences. Rejects if a
   * file is missing.
   */
  deliver(signal: AbortSignal, how: Delivering): Promise<Message[]>;
  /** Limitations of the file system of the tree, if the target has the limitations `lacks`. */
  lacks(lacks: ReadonlySet<Lack>): ReadonlySet<Lack>;
  /** Durable before it resolves. */
  writeJournal(journal: Journal): Promise<void>;
  /** Completes the journal from any point. Does nothing once the folder was removed. */
  perform(): Promise<void>;
  /** Reverses `perform` from any point. */
  undo(): Promise<void>;
  /** Removes the working folder and its contents. */
  remove(): Promise<void>;
  /** Closes open handles. */
  close(): Promise<void>;
}
