import type { ArchiveEntry } from '../ports/backup-driver.js';

export type EntryType = ArchiveEntry['type'];

/** One entry of a directory, as a listing keeps it. */
export interface ListedEntry {
  name: string;
  type: EntryType;
  /** Bytes: of a directory the sum below it, of a further name of a hard-linked file its target's. */
  size: number;
  /** Milliseconds since the epoch; null for a directory that the archive only implies. */
  mtime: number | null;
  /** The first name of a hard-linked file, as the tool writes it. */
  hardLinkTarget: string | null;
  symlinkTarget: string | null;
  /** False when the tool reports damage. */
  healthy: boolean;
  /** The path to ask the tool for; null when it is the directory and the name joined. */
  toolPath: string | null;
}
