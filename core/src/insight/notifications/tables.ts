import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { MessageParams } from '../../foundation/kernel/index.js';
import type { DeliveryStatus } from './notification-kind.rules.js';

/** Notification channels: their events and receivers. */
export const notificationSettings = entity(
  'notification_setting',
  {
    id: col.id(),
    uid: col.text().required(),
    name: col.text().required(),
    service_url: sealed('notification:{uid}', col.text().required()),
    /** Scheme of the service URL, for display without the URL. */
    scheme: col.text().required(),
    /**
     * Made when only the Apprise server spoke to most services: it stays with that server until its URL changes. New
     * rows have false.
     */
    apprise_first: col.boolean.default(true),
    enabled: col.boolean.default(true),
    title_prefix: col.text().nullable(),
    include_job_name_in_title: col.boolean.default(false),
    notify_on_backup_start: col.boolean.default(false),
    notify_on_backup_success: col.boolean.default(false),
    notify_on_backup_failure: col.boolean.default(true),
    notify_on_restore_success: col.boolean.default(false),
    notify_on_restore_failure: col.boolean.default(true),
    notify_on_check_success: col.boolean.default(false),
    notify_on_check_failure: col.boolean.default(true),
    notify_on_schedule_failure: col.boolean.default(true),
    /** Null in settings from before there was this flag: as `notify_on_backup_success`. */
    notify_on_backup_warning: col.boolean.nullable(),
    notify_on_backup_late: col.boolean.default(false),
    notify_on_backup_on_time_again: col.boolean.default(false),
    notify_on_damaged: col.boolean.default(false),
    notify_on_retention_paused: col.boolean.default(false),
    notify_on_incident: col.boolean.default(false),
    notify_on_report_weekly: col.boolean.default(false),
    monitor_all_repositories: col.boolean.default(true),
    /** Failures that repeat within this time become one message; 0 sends each one. */
    failure_grouping_minutes: col.integer.default(0),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
    /** When a message was last delivered. */
    last_used_at: col.timestamp.nullable(),
  },
  { unique: [['uid']] },
);

/** The repositories of settings that do not monitor all. */
export const notificationRepositories = entity(
  'notification_repository',
  { id: col.id(), setting_id: col.integer.required(), repository_id: col.integer.required() },
  { unique: [['setting_id', 'repository_id']], indexes: [['repository_id']] },
);

/** The outbox: one message to one setting, written in the transaction of its event, sent in the order of the ids. */
export const deliveries = entity(
  'delivery',
  {
    id: col.id(),
    /** The same for each attempt, and sent to the receiver. */
    message_id: col.text().required(),
    setting_id: col.integer.required(),
    /** For a grouped message: the last of its events. */
    event_id: col.integer.required(),
    /** Messages of one setting about one repository keep their order. */
    repository_id: col.integer.nullable(),
    /** The object of a failure, which its recovery ends; null without grouping. */
    topic: col.text().nullable(),
    /** Whether it reports that what failed works again. */
    recovery: col.boolean.default(false),
    /** How many events it covers. The first was at `first_at`. */
    count: col.integer.default(1),
    first_at: col.timestamp.required(),
    status: col.text<DeliveryStatus>().required(),
    attempts: col.integer.default(0),
    next_attempt_at: col.timestamp.required(),
    /** When it was written or resent. Retries end some time after that. */
    queued_at: col.timestamp.required(),
    /** Why the last attempt failed, without secrets. */
    last_error: col.text().nullable(),
    last_error_code: col.text().nullable(),
    last_error_params: col.json<MessageParams>().nullable(),
    owner: col.text().nullable(),
    lease_until: col.timestamp.nullable(),
    /** Raised each time it is taken. A write only takes effect with the current number. */
    fence: col.integer.default(0),
    created_at: col.timestamp.required(),
    /** When it was delivered or parked. */
    ended_at: col.timestamp.nullable(),
    /** Its incident; null for other messages. */
    incident_id: col.integer.nullable(),
  },
  {
    unique: [['message_id']],
    indexes: [
      ['status', 'setting_id', 'repository_id'],
      ['status', 'ended_at'],
      ['setting_id', 'topic'],
      ['incident_id'],
      ['event_id'],
    ],
  },
);

export type NotificationSettingRow = RowOf<typeof notificationSettings>;

export type DeliveryRow = RowOf<typeof deliveries>;
