import type { StorageBackend } from '@holdfast/plugin-api';
import type { SourceHost } from '@holdfast/plugin-api/driver';
import type { JobQueue, ReadingLane } from '../../engine/jobs/index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { TreePacker } from '../../foundation/ports/tree-packer.js';
import type { SourcesNeeds } from '../sources/index.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface RestoreNeeds extends Omit<SourcesNeeds, 'settings'> {
  /** With what a caller may not see: nobody restores over it. Default: `storage`. */
  everything?: StorageBackend;
  files: FileSystem;
  jobs: JobQueue;
  lanes: ReadingLane;
  trees: TreePacker;
  /** Runs programs on this machine. */
  here: SourceHost;
  settings: {
    /** Absolute path. Rooms store their files below it. */
    dataDirectory: string;
    /** Absolute paths that no restore may write to. `what` names them in messages. */
    reservedPaths: readonly { path: string; what: string }[];
    /** The PostgreSQL database of the service, if it is on this machine. */
    ownDatabase?: string | undefined;
    /** Stable name of this installation. It is part of every archive's comment. */
    installation: string;
  };
}
