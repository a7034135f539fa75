import { z } from 'zod';
import { id, timestamp } from '../common.js';
import * as field from './fields.js';
import { cron, timezone } from './schedule-fields.js';
import { lastErrorCode } from './sentence.js';

export const selfBackupChange = z.object({
  enabled: field.enabled.openapi({ description: 'False keeps the repository and disables the schedule.' }),
  path: z
    .string()
    .min(1, 'must not be empty')
    .max(4096, 'must have at most 4096 characters')
    .nullable()
    .optional()
    .openapi({
      description:
        'Where to create the repository, as for any repository. Default: `suggested_path` from GET.',
      example: '/mnt/backup/holdfast-self-backup',
    }),
  connection_id: id
    .nullable()
    .optional()
    .openapi({ description: 'SSH connection to the host of the repository; needs `path`.' }),
  remote_path: z.string().max(4096, 'must have at most 4096 characters').optional().openapi({
    description: 'Borg on the host of the repository, as for any repository.',
    example: 'borg-linux64',
  }),
  cron_expression: cron
    .refine((text) => text.trim() !== '', 'must not be empty')
    .optional()
    .openapi({ example: '15 1 * * *' }),
  timezone: timezone.optional(),
});

export const selfBackupView = z.object({
  success: z.literal(true),
  enabled: field.enabled,
  repository_id: field.repositoryId.openapi({
    description: 'Null until it is turned on for the first time.',
  }),
  schedule_id: id.nullable(),
  path: field.repositoryPath.nullable(),
  connection_id: id.nullable(),
  suggested_path: z
    .string()
    .nullable()
    .openapi({ description: 'Where the repository would be created; null once there is one.' }),
  same_disk: z.boolean().openapi({
    description: 'The repository is on the same disk as the data folder and would be lost with it.',
  }),
  cron_expression: field.cronExpression.nullable(),
  timezone: field.zoneName.nullable(),
  last_backup_at: timestamp.nullable(),
  next_run: timestamp.nullable(),
  last_error: z
    .string()
    .nullable()
    .openapi({ description: 'Why the newest backup failed or could not run; null if there is no problem.' }),
  ...lastErrorCode,
  warnings: z.array(
    z.string().openapi({
      example: 'The backup of Holdfast itself is on the same disk as the data folder.',
    }),
  ),
});

export type SelfBackupChange = z.infer<typeof selfBackupChange>;
export type SelfBackupView = z.infer<typeof selfBackupView>;
