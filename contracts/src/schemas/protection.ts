import { z } from 'zod';
import { id, timestamp } from '../common.js';

export const protectionStatus = z.enum(['protected', 'late', 'unknown']);

export const repositoryProtection = z.object({
  id,
  name: z.string(),
  path: z.string(),
  status: protectionStatus.openapi({
    description:
      'late: no archive is as young as promised. unknown: it can not be told, or damage was found.',
  }),
  reasons: z.array(z.string()).openapi({
    description: 'In words; what decided comes first.',
    example: ['The newest archive is 30.5 h old; the objective is 26 h.'],
  }),
  newest_archive: timestamp.nullable().openapi({ description: 'When the newest archive was begun.' }),
  newest_archive_age_hours: z.number().nullable(),
  freshness_hours: z.number().int().nullable().openapi({ description: 'The objective, where one is set.' }),
  promised_hours: z.number().nullable().openapi({ description: 'How old the newest archive may be.' }),
  promised_by: z.enum(['objective', 'schedule']).nullable(),
  promising_schedule: z
    .string()
    .nullable()
    .openapi({ description: 'Name of the schedule that promises it.' }),
  protected_until: timestamp
    .nullable()
    .openapi({ description: 'When the newest archive is or was too old.' }),
  damaged: z.boolean().openapi({ description: 'A check found damage, and no full one has passed since.' }),
  archives_as_of: timestamp.nullable().openapi({ description: 'When the list of archives was read last.' }),
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
