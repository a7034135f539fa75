import type { Journal } from './journal.fs.js';
import type { Modes } from './move-plan.fs.js';

/** The working folder of one restore, beside what it will become part of. */
export interface Stage {
  /** A folder of this machine into which the tool extracts, once it was made; the moves of a journal begin there. */
  readonly tree: string;
  /** Rejects when the working folder is there already: it is none of ours then. */
  make(): Promise<void>;
  /** Lets the service into every extracted directory. Returns what modes it changed. */
  openUp(): Promise<Modes>;
  /**
   * Brings what was extracted to where it can be moved into place. Returns what did not come along as it was; rejects
   * when a file is missing.
   */
  deliver(signal: AbortSignal): Promise<string[]>;
  /** Durable before it resolves. */
  writeJournal(journal: Journal): Promise<void>;
  /** Does what the journal says, from wherever it stands; nothing once the folder is gone. */
  perform(): Promise<void>;
  /** The reverse, from wherever it stands. */
  undo(): Promise<void>;
  /** Removes the working folder with all that is in it. */
  remove(): Promise<void>;
  /** Lets go of what it holds open. */
  close(): Promise<void>;
}
