import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { PasswordHash } from '../ports/services.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface AccountsNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  passwords: PasswordHash;
}
