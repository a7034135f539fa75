import { z } from 'zod';
import { id, idText, timestamp } from '../common.js';
import * as field from './fields.js';
import { deliveryView } from './notification.js';
import { errorCode, lastErrorCode, sentenceParams } from './sentence.js';

/** The causes that this release knows. Later ones add to them, so answers have any text. */
export const incidentCause = z.enum([
  'late',
  'damaged',
  'cannot_open',
  'archives_unsigned',
  'host_key_changed',
  'delivery_parked',
  'storage_full',
  'storage_nearly_full',
  'schedule_failing',
  'retention_paused',
  'drill_failed',
  'planned_too_far',
  'mass_change',
]);

/** A sentence in English, with a stable code and the values in it. */
export const codedSentence = z.object({
  code: z.string().openapi({ example: 'incident_late' }),
  params: sentenceParams.openapi({
    example: { repository: 'Home', newest_archive: '2026-03-01T02:00:00.000Z', promised_hours: 26 },
  }),
  text: z.string().openapi({
    example: 'Home was last backed up on 2026-03-01T02:00:00.000Z, more than 26 h ago.',
  }),
});

export const incidentView = z.object({
  id,
  cause: z.string().openapi({
    description:
      'Cause: `late`, `damaged`, `cannot_open`, `archives_unsigned`, `host_key_changed`, ' +
      '`delivery_parked`, `storage_full`, `storage_nearly_full`, `schedule_failing`, `retention_paused`, ' +
      '`drill_failed`, `planned_too_far` or `mass_change`. Later releases may add causes.',
    example: 'late',
  }),
  open: z.boolean().openapi({ description: 'False once it is resolved.' }),
  object: z
    .object({
      kind: z.string().openapi({
        description:
          '`repository`, `connection`, `notification_setting`, `schedule` or `service`. More may be added.',
        example: 'repository',
      }),
      id,
      name: field.repositoryName,
    })
    .openapi({ description: 'An object has at most one open incident of each cause.' }),
  repository_id: field.repositoryId.openapi({ description: 'Null if the object is not a repository.' }),
  opened_at: timestamp,
  since: timestamp.openapi({ description: 'When the problem began, as far as is known.' }),
  reason: codedSentence,
  snoozed_until: timestamp.nullable().openapi({
    example: null,
    description: 'No reminder is sent before this time; then one, if the incident is still open.',
  }),
  snooze_reason: z.string().nullable().openapi({ example: null }),
  snoozed_by: z.string().nullable().openapi({ example: null }),
  recovered_at: timestamp.nullable().openapi({ example: null, description: 'When it was resolved.' }),
  recovery: codedSentence.nullable().openapi({ example: null, description: 'How it was resolved.' }),
});

const incidentMessage = z.object({
  delivery_id: id,
  setting_id: id,
  setting_name: z.string().nullable(),
  event: z.string().nullable().openapi({ example: 'backup_late' }),
  status: deliveryView.shape.status,
  created_at: timestamp,
  delivered_at: timestamp.nullable(),
  last_error: z.string().nullable(),
  ...lastErrorCode,
});

const incidentAttempt = z.object({
  job_id: id,
  kind: z.enum(['backup', 'check', 'drill']),
  status: z.string().openapi({ example: 'failed' }),
  requested_at: timestamp,
  completed_at: timestamp.nullable(),
  error_message: z.string().nullable(),
  ...errorCode,
});

export const incidentDetails = incidentView.extend({
  messages: z.array(incidentMessage).openapi({
    description: 'Messages that were sent about it; at most 100.',
  }),
  attempts: z.object({
    count: z.number().int().openapi({
      description:
        'Backups and checks, and drills after a failed one, since it was opened, or waiting or running then.',
    }),
    last: z.array(incidentAttempt).openapi({ description: 'The newest ten.' }),
  }),
});

export const incidentFilter = z.object({
  open: z
    .enum(['true', 'false', '1', '0'])
    .transform((text) => text === 'true' || text === '1')
    .optional()
    .openapi({ type: 'boolean', example: true, description: 'Default: both.' }),
  cause: incidentCause.optional().openapi({ description: 'Only incidents of this cause.' }),
  repository_id: field.repositoryIdText.optional(),
  before: idText.optional().openapi({
    description: 'Only incidents with a lower id: `next_before` of the previous page.',
  }),
  limit: field.limitText({ max: 200, fallback: 50 }),
});

export const incidentPage = z.object({
  success: z.literal(true),
  incidents: z.array(incidentView),
  next_before: id.nullable().openapi({ description: '`before` of the next page; null at the end.' }),
});

export const snooze = z.object({
  until: z
    .string()
    .datetime({ offset: true })
    .openapi({ example: '2027-03-09T08:00:00Z', description: 'At most a year ahead.' }),
  reason: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(500, 'must have at most 500 characters')
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
    .refine((text) => !/\p{Surrogate}/u.test(text), 'must be well-formed Unicode')
    .openapi({ example: 'A new disk arrives on Monday.' }),
});

export type IncidentView = z.infer<typeof incidentView>;
export type IncidentDetails = z.infer<typeof incidentDetails>;
export type IncidentFilter = z.infer<typeof incidentFilter>;
export type IncidentPage = z.infer<typeof incidentPage>;
export type Snooze = z.infer<typeof snooze>;
