import type { DeliveryView } from '@holdfast/contracts';
import type { DeliveryStatus } from './notification-delivery.rules.js';
import type { StorageSession } from '../ports/storage.js';
import { type DeliveryRow, deliveries, events } from '../schema/tables.js';
import { deliveryView } from './notification-view.js';
import type { Dependencies } from '../dependencies.js';
import { findSetting } from './find-setting.js';

export interface DeliveryPage {
  status?: DeliveryStatus | undefined;
  limit: number;
  offset: number;
}

/** A page of the messages of a setting, newest first. AppError `not_found`. */
export const listDeliveries =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (id: number, { status, limit, offset }: DeliveryPage) => {
    await findSetting(storage, id);
    const where = { setting_id: id, ...(status ? { status } : {}) };
    const rows = await storage.find(deliveries, { where, order: [['id', 'desc']], limit, offset });
    const [counted] = await storage.aggregate(deliveries, { where, measures: { total: { count: true } } });
    const views = await viewDeliveries(storage, rows);
    return { success: true as const, deliveries: views, total: counted?.total ?? 0 };
  };

export async function viewDeliveries(
  storage: StorageSession,
  rows: readonly DeliveryRow[],
): Promise<DeliveryView[]> {
  const ids = [...new Set(rows.map((row) => row.event_id))];
  const told = await storage.find(events, { where: { id: { in: ids } } });
  const byId = new Map(told.map((event) => [event.id, event]));
  return rows.flatMap((row) => {
    const event = byId.get(row.event_id);
    return event ? [deliveryView(row, event)] : [];
  });
}
