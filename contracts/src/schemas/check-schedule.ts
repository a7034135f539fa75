import { z } from 'zod';
import { id, message, timestamp } from '../common.js';
import * as field from './fields.js';
import { timezone } from './schedule-fields.js';
import { lastErrorCode } from './sentence.js';

const maxDuration = z
  .number()
  .int()
  .min(0, 'must be 0 or more')
  .max(2_592_000, 'must be at most 2592000')
  .openapi({ description: 'Seconds. Above 0 the checks are partial; 0 makes them full.' });
const legacyFlag = 'Stored for clients that display it. Only the notification settings decide what is sent.';

/** Absent fields are not changed. */
export const checkScheduleChanges = z.object({
  cron_expression: z
    .string()
    .max(200, 'must have at most 200 characters')
    .nullable()
    .optional()
    .openapi({ description: 'Five fields. Empty or null disables the checks.', example: '0 4 * * 0' }),
  timezone: timezone.optional(),
  max_duration: maxDuration.optional(),
  verify_data: z.boolean().optional().openapi({ description: 'Only allowed with max_duration 0.' }),
  notify_on_success: z.boolean().optional().openapi({ description: legacyFlag }),
  notify_on_failure: z.boolean().optional().openapi({ description: legacyFlag }),
});

const schedule = z.object({
  check_cron_expression: z.string().nullable().openapi({ example: '0 4 * * 0' }),
  timezone,
  last_scheduled_check: timestamp.nullable(),
  next_scheduled_check: timestamp.nullable(),
  check_max_duration: maxDuration,
  check_verify_data: z.boolean(),
  notify_on_check_success: z.boolean(),
  notify_on_check_failure: z.boolean(),
  last_error: z.string().nullable().openapi({ description: 'Why the last scheduled check did not start.' }),
  ...lastErrorCode,
});

export const checkScheduleView = schedule.extend({
  repository_id: id,
  repository_name: field.repositoryName,
  repository_path: field.repositoryPath,
  enabled: field.enabled,
});

export const checkScheduleWritten = z.object({
  success: z.literal(true),
  message,
  repository: schedule.extend({ id, name: field.repositoryName }),
});

export type CheckScheduleChanges = z.infer<typeof checkScheduleChanges>;
export type CheckScheduleView = z.infer<typeof checkScheduleView>;
export type CheckScheduleWritten = z.infer<typeof checkScheduleWritten>;
