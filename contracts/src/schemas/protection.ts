import { z } from 'zod';
import { id, timestamp } from '../common.js';
import { lastProof } from './drill.js';
import * as field from './fields.js';
import { codedReason, sentenceParams } from './sentence.js';

export const protectionStatus = z.enum(['protected', 'late', 'unknown']);

export const repositoryProtection = z.object({
  id,
  name: field.repositoryName,
  path: field.repositoryPath,
  status: protectionStatus.openapi({
    description:
      'late: the newest archive is older than the age limit. unknown: cannot be determined, or damage was ' +
      'found.',
  }),
  reasons: z.array(z.string()).openapi({
    description: 'Human-readable reasons, the deciding one first.',
    example: ['The newest archive is 30.5 h old; the limit is 26 h.'],
  }),
  reason_codes: z.array(codedReason).openapi({
    description: 'The codes of `reasons`, in the same order.',
    example: [{ code: 'protection_age_and_objective', params: { age: '30.5 h', promised: '26 h' } }],
  }),
  newest_archive: timestamp.nullable().openapi({ description: 'Start time of the newest archive.' }),
  newest_archive_age_hours: z.number().nullable().openapi({ example: 9.5 }),
  freshness_hours: z.number().int().nullable().openapi({
    description: 'The age limit of the repository, if one is set.',
  }),
  promised_hours: z
    .number()
    .nullable()
    .openapi({ description: 'Age limit: maximum age of the newest archive.', example: 26 }),
  promised_by: z.enum(['objective', 'schedule']).nullable(),
  promising_schedule: field.scheduleName
    .nullable()
    .openapi({ description: 'Name of the schedule that sets the age limit.' }),
  protected_until: timestamp
    .nullable()
    .openapi({ description: 'When the newest archive becomes or became too old.' }),
  damaged: z.boolean().openapi({ description: 'A check found damage, and no full check has passed since.' }),
  archives_as_of: timestamp.nullable().openapi({ description: 'When the list of archives was last read.' }),
  ...lastProof,
});

export const protectionReport = z.object({
  success: z.literal(true),
  as_of: timestamp,
  summary: z.object({
    protected: z.number().int(),
    late: z.number().int(),
    unknown: z.number().int(),
  }),
  repositories: z.array(repositoryProtection),
});

/** `not_protected`: a repository is late, damaged, closed, or unknown although a backup was due. */
export const protectionHealth = z.object({
  status: z.enum(['protected', 'not_protected']),
  detail: z.string().openapi({ example: 'All repositories are protected.' }),
  code: z.string().openapi({ example: 'protection_complete' }),
  params: sentenceParams.openapi({ example: {} }),
  as_of: timestamp,
  counts: z.object({
    protected: z.number().int(),
    late: z.number().int(),
    unknown: z.number().int(),
    damaged: z.number().int(),
  }),
  repositories: z
    .array(
      z.object({
        id,
        name: z.string(),
        status: protectionStatus,
        damaged: z.boolean(),
        reasons: z.array(z.string()),
        reason_codes: z.array(codedReason),
      }),
    )
    .optional()
    .openapi({ description: 'Those that need attention. Only for callers with a token.', example: [] }),
});

/** As the answer 200, or an error with `detail` when even this can't be told. */
export const protectionAlarm = protectionHealth
  .partial()
  .extend({ detail: z.string(), request_id: z.string().optional() });

export type ProtectionHealth = z.infer<typeof protectionHealth>;
export type RepositoryProtection = z.infer<typeof repositoryProtection>;
export type ProtectionReport = z.infer<typeof protectionReport>;
