import type { AuditEntryView } from '@holdfast/contracts';
import type { AuditEntryRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

export const auditView = ({ id: _, at, ...row }: AuditEntryRow): AuditEntryView => ({
  ...row,
  at: isoTime(at),
});
