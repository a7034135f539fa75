import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { CacheChoice, CacheControl } from '../../backup/archives/index.js';
import type { SecondFactorPolicy } from '../../foundation/accounts/index.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface RequestsNeeds {
  storage: StorageBackend;
  cacheControl: CacheControl;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  settings: {
    requireSecondFactor: SecondFactorPolicy;
    /** Cache settings from the environment. Stored settings take precedence. */
    cache: CacheChoice;
    /** How the environment configures the external cache. */
    cacheConnection: 'external_url' | 'local';
  };
}
