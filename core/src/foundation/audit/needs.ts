import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { SecretBox } from '../ports/services.js';
import type { AuditTrail } from './audit-trail.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface AuditNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  auditTrail: AuditTrail;
  settings: {
    /** 0 retains entries forever. */
    auditRetentionDays: number;
  };
}
