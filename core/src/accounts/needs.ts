import type { Clock, Log, PasswordHash } from '../ports/services.js';
import type { StorageBackend } from '../ports/storage.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface AccountsNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  passwords: PasswordHash;
}
