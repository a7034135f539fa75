import type { Undo } from '@holdfast/plugin-api/source';
import type { StoredMessage } from '../../foundation/kernel/index.js';

/** A dump in an archive. */
export interface DumpInArchive {
  /** The name that the plugin gave it. */
  name: string;
  path: string;
}

/** What a job did with a source so far. JSON, without secrets. */
export interface SourceState {
  uid: string;
  kind: string;
  name: string;
  /** What `release` has to undo; null: it was not recorded, or nothing is left. */
  undo: Undo | null;
  dumps: DumpInArchive[];
  paths: string[];
  /** Why the archive lacks it. */
  failure: StoredMessage | null;
  /** Milliseconds since the epoch. `prepared` is null until it is, and after a failure. */
  begun: number;
  prepared: number | null;
  released: number | null;
}

/** What was done with each source of a job, kept so that another process can go on. */
export interface SourceJournal {
  states(): readonly SourceState[];
  /** Stores the state before it resolves. Rejects with JobAborted when another process has taken over. */
  write(state: SourceState): Promise<void>;
}
