import type { DeliveryView, NotificationSettingView } from '@holdfast/contracts';
import type { RepositoryRow } from '../../backup/repositories/index.js';
import type { EventRow } from '../../foundation/events/index.js';
import { isoTime, shownParams } from '../../foundation/kernel/index.js';
import { eventName } from './notification-body.rules.js';
import { factsIn } from './notification-facts.rules.js';
import { isNotificationKind, isToldOf } from './notification-kind.rules.js';
import type { DeliveryRow, NotificationSettingRow } from './tables.js';

/** @param serviceUrl as the caller may see it */
export function notificationSettingView(
  row: NotificationSettingRow,
  { serviceUrl, repositories }: { serviceUrl: string; repositories: readonly RepositoryRow[] },
): NotificationSettingView {
  const { uid: _, scheme: __, apprise_first: ___, created_at, updated_at, last_used_at, ...rest } = row;
  return {
    ...rest,
    service_url: serviceUrl,
    notify_on_backup_warning: isToldOf(row, 'backup_warning'),
    repositories: row.monitor_all_repositories ? [] : repositories.map(({ id, name }) => ({ id, name })),
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
    last_used_at: isoTime(last_used_at),
  };
}

/** @param event the last one that the message covers */
export function deliveryView(row: DeliveryRow, event: EventRow): DeliveryView {
  const waits = row.status === 'pending' || row.status === 'collecting';
  const { kind } = event;
  return {
    id: row.id,
    message_id: row.message_id,
    event: isNotificationKind(kind) ? eventName(kind, row.recovery ? row.topic : null) : kind,
    event_at: isoTime(event.at),
    repository_id: row.repository_id,
    repository_name: factsIn(event.data).repository,
    job_id: event.job_id,
    count: row.count,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: waits ? isoTime(row.next_attempt_at) : null,
    last_error: row.last_error,
    last_error_code: row.last_error_code,
    last_error_params: shownParams(row.last_error_params),
    created_at: isoTime(row.created_at),
    delivered_at: row.status === 'delivered' ? isoTime(row.ended_at) : null,
  };
}
