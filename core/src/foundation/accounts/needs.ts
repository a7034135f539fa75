import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { PasswordHash } from '../ports/services.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface AccountsNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  passwords: PasswordHash;
}
