import type { DeliveryView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { events } from '../../foundation/events/index.js';
import { inTransaction, lastErrorColumns, notFound, say } from '../../foundation/kernel/index.js';
import { findSetting } from './find-setting.js';
import type { NotificationsNeeds } from './needs.js';
import type { DeliveryStatus } from './notification-kind.rules.js';
import { deliveryView } from './notification-view.js';
import { type DeliveryRow, deliveries } from './tables.js';

export interface DeliveryPage {
  status?: DeliveryStatus | undefined;
  limit: number;
  offset: number;
}

/** A page of the messages of a setting, newest first. Throws AppError `not_found`. */
export async function listDeliveries(
  { storage }: NotificationsNeeds,
  id: number,
  { status, limit, offset }: DeliveryPage,
) {
  await findSetting(storage, id);
  const where = { setting_id: id, ...(status ? { status } : {}) };
  const rows = await storage.find(deliveries, { where, order: [['id', 'desc']], limit, offset });
  const [counted] = await storage.aggregate(deliveries, { where, measures: { total: { count: true } } });
  const views = await viewDeliveries(storage, rows);
  return { success: true as const, deliveries: views, total: counted?.total ?? 0 };
}

async function viewDeliveries(
  storage: StorageSession,
  rows: readonly DeliveryRow[],
): Promise<DeliveryView[]> {
  const ids = [...new Set(rows.map((row) => row.event_id))];
  const found = await storage.find(events, { where: { id: { in: ids } } });
  const byId = new Map(found.map((event) => [event.id, event]));
  return rows.flatMap((row) => {
    const event = byId.get(row.event_id);
    return event ? [deliveryView(row, event)] : [];
  });
}

/**
 * Puts a message back into the outbox, ahead of later ones. A pending one is tried at once. Throws AppError
 * `not_found`.
 */
export async function resendDelivery(
  { storage, clock }: NotificationsNeeds,
  { settingId, deliveryId }: { settingId: number; deliveryId: number },
) {
  const now = clock.now();
  const delivery = await inTransaction(storage, async (session) => {
    await findSetting(session, settingId);
    const where = { id: deliveryId, setting_id: settingId };
    const again = { status: 'pending' as const, next_attempt_at: now };
    await session.update(deliveries, { ...where, status: { in: ['collecting', 'pending'] } }, again);
    const ended = { ...where, status: { in: ['delivered', 'parked'] as const } };
    await session.update(deliveries, ended, {
      ...again,
      queued_at: now,
      attempts: 0,
      ...lastErrorColumns(null),
      ended_at: null,
    });
    const [row] = await session.find(deliveries, { where, limit: 1 });
    const [view] = row ? await viewDeliveries(session, [row]) : [];
    if (view) return view;
    throw notFound(
      say`delivery_unknown: This channel has no delivery ${{ id: deliveryId }}: see GET /api/notifications/${{ setting: settingId }}/deliveries.`,
    );
  });
  return { success: true as const, message: 'The message is being sent.', delivery };
}

/** Those of the events that a stored message reports. */
export async function eventsWithMessages(
  session: StorageSession,
  ids: readonly number[],
): Promise<Set<number>> {
  const messages = await session.find(deliveries, { where: { event_id: { in: ids } } });
  return new Set(messages.map(({ event_id }) => event_id));
}
