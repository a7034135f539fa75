import { notFound } from '../kernel/errors.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { deliveries } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findSetting } from './find-setting.js';
import { viewDeliveries } from './list-deliveries.js';

/**
 * Puts a message back into the outbox, in its place before later ones; one that waits is tried at once. AppError
 * `not_found`.
 */
export const resendDelivery =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async ({ settingId, deliveryId }: { settingId: number; deliveryId: number }) => {
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
        last_error: null,
        ended_at: null,
      });
      const [row] = await session.find(deliveries, { where, limit: 1 });
      const [view] = row ? await viewDeliveries(session, [row]) : [];
      if (view) return view;
      throw notFound(
        `There is no delivery ${deliveryId} of this setting: see GET /api/notifications/${settingId}/deliveries.`,
      );
    });
    return { success: true as const, message: 'The message is being sent.', delivery };
  };
