import { z } from 'zod';
import { id, timestamp } from '../common.js';

export const eventKind = z.enum([
  'backup_start',
  'backup_success',
  'backup_warning',
  'backup_failure',
  'restore_success',
  'restore_failure',
  'check_success',
  'check_failure',
  'schedule_failure',
  'repository_created',
  'repository_updated',
  'repository_deleted',
  'archives_changed',
  'retention_paused',
  'job_queued',
  'job_started',
  'job_ended',
  'schedule_changed',
  'connection_changed',
  'delivery_parked',
  'protection_changed',
  'incident_opened',
  'incident_closed',
  'backup_late',
  'backup_on_time_again',
  'damaged',
  'damage_over',
  'retention_resumed',
  'incident',
  'incident_over',
  'report_weekly',
]);

/** The `data:` of one event in the stream. */
export const eventView = z.object({
  id: id.openapi({ description: 'Position in the sequence of all events; the same on every instance.' }),
  kind: eventKind,
  at: timestamp,
  repository_id: id.nullable(),
  job_id: id.nullable(),
  data: z.record(z.unknown()),
});

export type EventView = z.infer<typeof eventView>;
