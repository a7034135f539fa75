import { z } from 'zod';
import { id, nameText, timestamp } from '../common.js';

const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text);
const name = nameText.refine(wellFormed, 'must be well-formed Unicode');
const serviceUrl = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(4096, 'must have at most 4096 characters')
  .refine(wellFormed, 'must be well-formed Unicode')
  .openapi({
    description:
      'A service URL as the notification library has them; `json://` and `jsons://` send JSON webhooks. Stored ' +
      'encrypted; shown whole to administrators only.',
    example: 'jsons://user:password@hooks.example.org/backup',
  });
const titlePrefix = z
  .string()
  .max(100, 'must have at most 100 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not hold control characters')
  .refine(wellFormed, 'must be well-formed Unicode');
const grouping = z
  .number()
  .int()
  .min(0, 'must be 0 or more')
  .max(10_080, 'must be at most 10080')
  .openapi({
    description:
      'The same failure of the same repository within so many minutes is one message with a count, sent when the time ' +
      'is over, and one message follows when it works again. 0: every failure is a message of its own.',
  });

const nullable = {
  title_prefix: titlePrefix.nullable().optional(),
  repository_ids: z
    .array(id)
    .max(1000, 'must have at most 1000 entries')
    .nullable()
    .optional()
    .openapi({
      description:
        'The repositories to monitor. Counts only when monitor_all_repositories is false; an update with an empty ' +
        'list leaves them as they are.',
    }),
};
const flag = z.boolean();

export const newNotificationSetting = z.object({
  name,
  service_url: serviceUrl,
  ...nullable,
  enabled: flag.default(true),
  include_job_name_in_title: flag.default(false),
  notify_on_backup_start: flag.default(false),
  notify_on_backup_success: flag.default(false),
  notify_on_backup_failure: flag.default(true),
  notify_on_restore_success: flag.default(false),
  notify_on_restore_failure: flag.default(true),
  notify_on_check_success: flag.default(false),
  notify_on_check_failure: flag.default(true),
  notify_on_schedule_failure: flag.default(true),
  monitor_all_repositories: flag.default(true),
  failure_grouping_minutes: grouping.default(0),
});

/** Absent fields stay as they are; null clears the title prefix. */
export const notificationSettingChanges = z.object({
  name: name.optional(),
  service_url: serviceUrl.optional(),
  ...nullable,
  enabled: flag.optional(),
  include_job_name_in_title: flag.optional(),
  notify_on_backup_start: flag.optional(),
  notify_on_backup_success: flag.optional(),
  notify_on_backup_failure: flag.optional(),
  notify_on_restore_success: flag.optional(),
  notify_on_restore_failure: flag.optional(),
  notify_on_check_success: flag.optional(),
  notify_on_check_failure: flag.optional(),
  notify_on_schedule_failure: flag.optional(),
  monitor_all_repositories: flag.optional(),
  failure_grouping_minutes: grouping.optional(),
});

export const notificationSettingView = z.object({
  id,
  name: z.string(),
  service_url: z.string().openapi({ description: 'Whole for administrators, for others `scheme://***`.' }),
  enabled: flag,
  title_prefix: z.string().nullable(),
  include_job_name_in_title: flag,
  notify_on_backup_start: flag,
  notify_on_backup_success: flag,
  notify_on_backup_failure: flag,
  notify_on_restore_success: flag,
  notify_on_restore_failure: flag,
  notify_on_check_success: flag,
  notify_on_check_failure: flag,
  notify_on_schedule_failure: flag,
  monitor_all_repositories: flag,
  failure_grouping_minutes: z.number().int(),
  repositories: z.array(z.object({ id, name: z.string() })).openapi({
    description: 'The monitored repositories when monitor_all_repositories is false, else empty.',
  }),
  created_at: timestamp,
  updated_at: timestamp,
  last_used_at: timestamp.nullable().openapi({ description: 'When a message was delivered last.' }),
});

/** What a write of a setting answers; `warnings` name what was not taken from the body. */
export const notificationSettingWritten = notificationSettingView.extend({
  warnings: z.array(z.string()).optional(),
});

/** One message to one setting, and what became of it. */
export const deliveryView = z.object({
  id,
  message_id: z
    .string()
    .openapi({ description: 'Told to the receiver with each try, so that it can drop doubles.' }),
  event: z.string().openapi({ example: 'backup_failure' }),
  event_at: timestamp,
  repository_id: id.nullable(),
  repository_name: z.string().nullable(),
  job_id: id.nullable(),
  count: z.number().int().openapi({ description: 'How many failures it stands for.' }),
  status: z.enum(['collecting', 'pending', 'delivered', 'parked']).openapi({
    description:
      '`collecting`: waits for more failures of its kind. `pending`: is sent or tried again. `parked`: given up; ' +
      '`last_error` says why.',
  }),
  attempts: z.number().int(),
  next_attempt_at: timestamp.nullable(),
  last_error: z.string().nullable(),
  created_at: timestamp,
  delivered_at: timestamp.nullable(),
});

export const notificationTest = z.object({ service_url: z.string().max(100_000, 'is too long') });

export type NewNotificationSetting = z.infer<typeof newNotificationSetting>;
export type NotificationSettingChanges = z.infer<typeof notificationSettingChanges>;
export type NotificationSettingView = z.infer<typeof notificationSettingView>;
export type NotificationSettingWritten = z.infer<typeof notificationSettingWritten>;
export type DeliveryView = z.infer<typeof deliveryView>;
