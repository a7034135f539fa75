import { randomUUID } from 'node:crypto';
import { type StorageSession, StoreError } from '@holdfast/plugin-api';
import { type EventRow, events } from '../../foundation/events/index.js';
import {
  failureTopic,
  isNotificationKind,
  isToldOf,
  recoveredTopics,
  sameFailure,
} from './notification-kind.rules.js';
import {
  type DeliveryRow,
  deliveries,
  type NotificationSettingRow,
  notificationRepositories,
  notificationSettings,
} from './tables.js';

/** Writes the messages for an event, in the transaction of the event. False when no setting covers it. */
export async function fileDeliveries(session: StorageSession, event: EventRow): Promise<boolean> {
  if (!isNotificationKind(event.kind)) return false;
  const { kind } = event;
  const settings = await coveringSettings(session, event);
  for (const setting of settings) {
    const filing = { session, setting, event };
    if (isToldOf(setting, kind)) await file(filing);
    if (setting.failure_grouping_minutes > 0) await fileRecoveries(filing);
  }
  return settings.length > 0;
}

/** Enabled settings that monitor the repository of the event, or a repository of its schedule. */
async function coveringSettings(session: StorageSession, event: EventRow): Promise<NotificationSettingRow[]> {
  const enabled = (await session.find(notificationSettings, { where: { enabled: true } })).filter((setting) =>
    isMeant(setting, event),
  );
  const ids = repositoriesOf(event);
  if (ids.length === 0 || enabled.every((setting) => setting.monitor_all_repositories)) {
    return enabled.filter((setting) => setting.monitor_all_repositories);
  }
  const links = await session.find(notificationRepositories, { where: { repository_id: { in: ids } } });
  const linked = new Set(links.map((link) => link.setting_id));
  return enabled.filter(({ id, monitor_all_repositories: all }) => all || linked.has(id));
}

/** A report is for one channel. A failing channel is reported to the others. */
function isMeant({ id }: NotificationSettingRow, { kind, data }: EventRow): boolean {
  if (kind === 'report_weekly') return id === data.setting_id;
  return data.object_kind !== 'notification_setting' || id !== data.object_id;
}

function repositoriesOf({ repository_id, data: { repository_ids } }: EventRow): number[] {
  if (repository_id !== null) return [repository_id];
  return Array.isArray(repository_ids) ? repository_ids.filter((id) => typeof id === 'number') : [];
}

interface Filing {
  session: StorageSession;
  setting: NotificationSettingRow;
  event: EventRow;
}

/** A grouped failure waits for others like it, or joins those that already wait. */
async function file(filing: Filing): Promise<void> {
  const { setting, event } = filing;
  const minutes = setting.failure_grouping_minutes;
  const topic = minutes > 0 ? failureTopic(event) : null;
  if (topic === null) return insert(filing, {});
  if (await joined(filing, topic)) return;
  const next_attempt_at = event.at + minutes * 60_000;
  await insert(filing, { topic, status: 'collecting', next_attempt_at });
}

async function joined({ session, setting, event }: Filing, topic: string): Promise<boolean> {
  const where = { setting_id: setting.id, topic, status: 'collecting' as const };
  for (const waiting of await session.find(deliveries, { where })) {
    const [first] = await session.find(events, { where: { id: waiting.event_id }, limit: 1 });
    if (!first || waiting.next_attempt_at <= event.at || !sameFailure(first, event)) continue;
    const patch = { count: waiting.count + 1, event_id: event.id };
    const held = { ...where, id: waiting.id, count: waiting.count };
    if ((await session.update(deliveries, held, patch)) === 0) {
      throw new StoreError('conflict', 'Another instance sent the group of failures.');
    }
    return true;
  }
  return false;
}

/** Reports once that something works again, after the failures that still wait. */
async function fileRecoveries(filing: Filing): Promise<void> {
  const { session, setting, event } = filing;
  for (const topic of recoveredTopics(event)) {
    const where = { setting_id: setting.id, topic };
    const [last] = await session.find(deliveries, { where, order: [['id', 'desc']], limit: 1 });
    if (!last || last.recovery) continue;
    const released = { status: 'pending' as const, next_attempt_at: event.at, queued_at: event.at };
    await session.update(deliveries, { ...where, status: 'collecting' }, released);
    // In the queue of the failures, so that it is sent after them.
    await insert(filing, { topic, recovery: true, repository_id: last.repository_id });
  }
}

async function insert({ session, setting, event }: Filing, more: Partial<DeliveryRow>): Promise<void> {
  await session.insert(deliveries, {
    message_id: randomUUID(),
    setting_id: setting.id,
    event_id: event.id,
    repository_id: event.repository_id,
    first_at: event.at,
    status: 'pending',
    next_attempt_at: event.at,
    queued_at: event.at,
    created_at: event.at,
    incident_id: typeof event.data.incident_id === 'number' ? event.data.incident_id : null,
    ...more,
  });
}

/** Attaches the messages of these events to an incident that was opened after them. */
export async function linkMessages(
  session: StorageSession,
  incident_id: number,
  of: readonly Pick<EventRow, 'id'>[],
): Promise<void> {
  const event_id = { in: of.map(({ id }) => id) };
  if (of.length > 0) await session.update(deliveries, { event_id }, { incident_id });
}
