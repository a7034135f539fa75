import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import type { SheetPress } from '../../foundation/ports/sheet-press.js';

/** The ports and services of this room; each part takes those it needs. */
export interface RecoveryNeeds {
  storage: StorageBackend;
  driver: Pick<BackupDriver, 'exportKey'>;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  sheetPress: SheetPress;
  /** Release of this software. */
  serverVersion: string;
  settings: {
    /** Stable name of this installation. */
    installation: string;
  };
}
