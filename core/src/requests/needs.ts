import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { CacheChoice, CacheControl } from '../archives/index.js';
import type { Redactor, SecretBox } from '../ports/services.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface RequestsNeeds {
  storage: StorageBackend;
  cacheControl: CacheControl;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  settings: {
    /** As the environment says; what is stored goes over it. */
    cache: CacheChoice;
    /** How the environment names the external store. */
    cacheConnection: 'external_url' | 'local';
  };
}
