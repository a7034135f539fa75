import type { Readable } from 'node:stream';

/** The names that numbers of owners stand for; `numbers`: none. */
export type PackedOwners = 'numbers' | { user: string; uid: number; group: string; gid: number }[];

/** Packs a folder of this machine into one stream. */
export interface TreePacker {
  /**
   * Everything below the folder as a tar stream for GNU tar, with owners, modes, times to the nanosecond,
   * hard links, holes, extended attributes and ACLs. The stream ends normally only when it is complete;
   * otherwise it fails with an AppError. `signal` ends it. `hardLinks: false`: each
   * name has the content.
   */
  pack(
    folder: string,
    options: { signal: AbortSignal; hardLinks?: boolean; owners?: PackedOwners },
  ): Readable;
}
