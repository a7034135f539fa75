import type { Readable } from 'node:stream';

/** Makes one stream of a folder of this machine. */
export interface TreePacker {
  /**
   * All below the folder as a tar stream that GNU tar takes: owners, modes, times to the nanosecond, hard links, holes,
   * extended attributes and ACLs. It ends only when it is whole, else it fails with an AppError. `signal` ends it.
   */
  pack(folder: string, options: { signal: AbortSignal }): Readable;
}
