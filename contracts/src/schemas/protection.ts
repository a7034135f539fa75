import { z } from 'zod';
import { id, timestamp } from '../common.js';

export const protectionStatus = z.enum(['protected', 'late', 'unknown']);

export const repositoryProtection = z.object({
  id,
  name: z.string(),
  path: z.string(),
  status: protectionStatus.openapi({
    description:
      'late: the newest archive is older than promised. unknown: cannot be determined, or damage was found.',
  }),
  reasons: z.array(z.string()).openapi({
    description: 'Human-readable reasons, the deciding one first.',
    example: ['The newest archive is 30.5 h old; the objective is 26 h.'],
  }),
  newest_archive: timestamp.nullable().openapi({ description: 'Start time of the newest archive.' }),
  newest_archive_age_hours: z.number().nullable(),
  freshness_hours: z.number().int().nullable().openapi({ description: 'The objective, if one is set.' }),
  promised_hours: z.number().nullable().openapi({ description: 'Maximum age of the newest archive.' }),
  promised_by: z.enum(['objective', 'schedule']).nullable(),
  promising_schedule: z
    .string()
    .nullable()
    .openapi({ description: 'Name of the schedule that sets this maximum age.' }),
  protected_until: timestamp
    .nullable()
    .openapi({ description: 'When the newest archive becomes or became too old.' }),
  damaged: z.boolean().openapi({ description: 'A check found damage, and no full check has passed since.' }),
  archives_as_of: timestamp.nullable().openapi({ description: 'When the list of archives was last read.' }),
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

export type RepositoryProtection = z.infer<typeof repositoryProtection>;
export type ProtectionReport = z.infer<typeof protectionReport>;
