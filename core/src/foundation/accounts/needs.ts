import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { PasskeyTool } from '../ports/passkey-tool.js';
import type { PasswordHash, SecretBox } from '../ports/services.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface AccountsNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  passwords: PasswordHash;
  secrets: SecretBox;
  passkeyTool: PasskeyTool;
}
