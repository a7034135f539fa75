import type { Message } from '../../../foundation/kernel/index.js';
import type { PackedOwners } from '../../../foundation/ports/tree-packer.js';
import type { Journal } from './journal.fs.js';
import type { Lack } from './lacks.rules.js';
import type { Modes } from './move-plan.fs.js';

interface Delivering {
  /** What the target can't keep. */
  lacks: ReadonlySet<Lack>;
  /** By their numbers, or by the names of these. */
  owners: PackedOwners;
}

/** The working folder of one restore, beside its target. */
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
   * Transfers the extracted files to where they can be moved into place. Returns warnings about what was not
   * transferred exactly. Rejects when a file is missing.
   */
  deliver(signal: AbortSignal, how: Delivering): Promise<Message[]>;
  /** What the file system of the tree can't keep, if the target can't keep `lacks`. */
  lacks(lacks: ReadonlySet<Lack>): ReadonlySet<Lack>;
  /** Durable before it resolves. */
  writeJournal(journal: Journal): Promise<void>;
  /** Carries out the journal from wherever it stands. Does nothing once the folder is gone. */
  perform(): Promise<void>;
  /** Reverses `perform`, from wherever it stands. */
  undo(): Promise<void>;
  /** Removes the working folder and its contents. */
  remove(): Promise<void>;
  /** Closes open handles. */
  close(): Promise<void>;
}
