import { z } from 'zod';
import { id, nameText, timestamp } from '../common.js';
import * as field from './fields.js';
import { lastErrorCode } from './sentence.js';

const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text);
const name = nameText.refine(wellFormed, 'must be well-formed Unicode');
const urlExample = 'jsons://user:password@hooks.example.org/backup';
const serviceUrl = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(4096, 'must have at most 4096 characters')
  .refine(wellFormed, 'must be well-formed Unicode')
  .openapi({
    description:
      'A service URL in the format of the notification library; `json://` and `jsons://` send JSON webhooks. ' +
      'Stored encrypted. Only administrators see it unmasked.',
    example: urlExample,
  });
const titlePrefix = z
  .string()
  .max(100, 'must have at most 100 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
  .refine(wellFormed, 'must be well-formed Unicode');
const grouping = z
  .number()
  .int()
  .min(0, 'must be 0 or more')
  .max(10_080, 'must be at most 10080')
  .openapi({
    description:
      'Repeated failures of the same kind in the same repository within this many minutes become one message ' +
      'with a count, sent when the time is up. Another message follows on recovery. 0: one message per failure.',
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
        'The repositories to monitor. Only used when monitor_all_repositories is false. An update with an empty ' +
        'list does not change them.',
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
  notify_on_backup_warning: flag.default(true),
  notify_on_backup_late: flag.default(true),
  notify_on_backup_on_time_again: flag.default(true),
  notify_on_damaged: flag.default(true),
  notify_on_retention_paused: flag.default(true),
  notify_on_incident: flag.default(true),
  notify_on_report_weekly: flag.default(true),
  monitor_all_repositories: flag.default(true),
  failure_grouping_minutes: grouping.default(0),
});

/** Absent fields are not changed; null clears the title prefix. */
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
  notify_on_backup_warning: flag.optional(),
  notify_on_backup_late: flag.optional(),
  notify_on_backup_on_time_again: flag.optional(),
  notify_on_damaged: flag.optional(),
  notify_on_retention_paused: flag.optional(),
  notify_on_incident: flag.optional(),
  notify_on_report_weekly: flag.optional(),
  monitor_all_repositories: flag.optional(),
  failure_grouping_minutes: grouping.optional(),
});

export const notificationSettingView = z.object({
  id,
  name: z.string().openapi({ example: 'Chat' }),
  service_url: z.string().openapi({
    description: 'Unmasked for administrators, `scheme://***` for others.',
    example: urlExample,
  }),
  enabled: field.enabled,
  title_prefix: z.string().nullable().openapi({ example: '[nas]' }),
  include_job_name_in_title: flag,
  notify_on_backup_start: flag,
  notify_on_backup_success: flag,
  notify_on_backup_failure: flag,
  notify_on_restore_success: flag,
  notify_on_restore_failure: flag,
  notify_on_check_success: flag,
  notify_on_check_failure: flag,
  notify_on_schedule_failure: flag,
  notify_on_backup_warning: flag,
  notify_on_backup_late: flag,
  notify_on_backup_on_time_again: flag,
  notify_on_damaged: flag,
  notify_on_retention_paused: flag,
  notify_on_incident: flag,
  notify_on_report_weekly: flag,
  monitor_all_repositories: flag,
  failure_grouping_minutes: z.number().int(),
  repositories: z.array(z.object({ id, name: field.repositoryName })).openapi({
    description: 'The monitored repositories if monitor_all_repositories is false, otherwise empty.',
  }),
  created_at: timestamp,
  updated_at: timestamp,
  last_used_at: timestamp.nullable().openapi({ description: 'When a message was last delivered.' }),
});

/**
 * The response to creating or changing a setting. `warnings` names the fields of the body that were ignored.
 */
export const notificationSettingWritten = notificationSettingView.extend({
  warnings: z.array(z.string()).optional(),
});

/** One message to one setting, and its delivery status. */
export const deliveryView = z.object({
  id,
  message_id: z.string().openapi({
    description: 'Sent with each attempt, so that the receiver can discard duplicates.',
    example: '5f0d2c9a-7a3b-4f0e-9a52-3c7f1d1f8b11',
  }),
  event: z.string().openapi({ example: 'backup_failure' }),
  event_at: timestamp,
  repository_id: field.repositoryId,
  repository_name: field.repositoryName.nullable(),
  job_id: id.nullable(),
  count: z.number().int().openapi({ description: 'How many failures the message covers.' }),
  status: z.enum(['collecting', 'pending', 'delivered', 'parked']).openapi({
    description:
      '`collecting`: waiting for more failures of the same kind. `pending`: will be sent or retried. ' +
      '`parked`: not delivered, no longer retried; see `last_error`.',
    example: 'delivered',
  }),
  attempts: z.number().int(),
  next_attempt_at: timestamp.nullable(),
  last_error: z.string().nullable(),
  ...lastErrorCode,
  created_at: timestamp,
  delivered_at: timestamp.nullable(),
});

export const notificationTest = z.object({
  service_url: z.string().max(100_000, 'is too long').openapi({ example: urlExample }),
});

/** A service for which a form can build URLs. */
export const notificationServiceView = z.object({
  service: z.string().openapi({ description: 'The id of its plugin.', example: 'ntfy' }),
  name: z.string().openapi({ example: 'ntfy' }),
  schemes: z.array(z.string()).openapi({
    description:
      'Values for `{scheme}`; the first is the usual one. `*`: the value of the field includes a scheme.',
    example: ['ntfys', 'ntfy'],
  }),
  fields: z.array(
    z.object({
      name: z.string().openapi({ example: 'topic' }),
      label: z.string().openapi({ example: 'Topic' }),
      kind: z.enum(['text', 'secret', 'number', 'boolean', 'host']).openapi({
        description: '`host`: a name or an address, with a port if needed. `boolean`: `yes` or `no`.',
        example: 'secret',
      }),
      required: z.boolean(),
      help: z.string().openapi({ example: 'Up to 64 letters, digits, _ and -.' }),
      example: z.string().openapi({ example: 'backups-x7Kq2' }),
    }),
  ),
  template: z.string().openapi({
    description:
      'The service URL as a URI template (RFC 6570): `{name}` is percent-encoded, `{+name}` keeps the characters of a ' +
      'host, and `{?a,b}` lists the fields that have a value.',
    example: '{scheme}://{+host}/{topic}{?token}',
  }),
});

export type NotificationServiceView = z.infer<typeof notificationServiceView>;
export type NewNotificationSetting = z.infer<typeof newNotificationSetting>;
export type NotificationSettingChanges = z.infer<typeof notificationSettingChanges>;
export type NotificationSettingView = z.infer<typeof notificationSettingView>;
export type NotificationSettingWritten = z.infer<typeof notificationSettingWritten>;
export type DeliveryView = z.infer<typeof deliveryView>;
