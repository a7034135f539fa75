import type { Clock, StorageBackend } from '@holdfast/plugin-api';
import type { FileSystem } from '../../foundation/ports/filesystem.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface HistoryNeeds {
  storage: StorageBackend;
  clock: Clock;
  files: FileSystem;
}
