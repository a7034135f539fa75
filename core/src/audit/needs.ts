import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { SecretBox } from '../ports/services.js';
import type { AuditTrail } from './audit-trail.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface AuditNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  auditTrail: AuditTrail;
  settings: {
    /** 0: for ever. */
    auditRetentionDays: number;
  };
}
