import type { StorageSession } from '@holdfast/plugin-api';
import { type EventsNeeds, placeEvents, sequenceNow } from '../events/index.js';
import { type EventRow, eventSequences, events } from '../events/tables.js';
import { inTransaction } from '../kernel/index.js';
import { deliveries } from '../notifications/tables.js';

/** A stream that was disconnected for longer has to start over. */
export const eventRetentionMs = 30 * 86_400_000;

const batchSize = 200;

/**
 * Removes old events that have a sequence number and no pending message. Without readers nobody else numbers them.
 */
export const sweepEvents =
  ({ storage, clock }: Pick<EventsNeeds, 'storage' | 'clock'>, retentionMs = eventRetentionMs) =>
  async (going = () => true): Promise<void> => {
    await placeEvents(storage, going);
    const old = { lt: clock.now() - retentionMs };
    for (let after = 0; going(); ) {
      const rows = await storage.find(events, {
        where: { at: old, id: { gt: after }, seq: { not: null } },
        order: [['id', 'asc']],
        limit: batchSize,
      });
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
      await inTransaction(storage, (session) => remove(session, rows));
    }
  };

async function remove(session: StorageSession, rows: readonly EventRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const messages = await session.find(deliveries, { where: { event_id: { in: ids } } });
  const needed = new Set(messages.map(({ event_id }) => event_id));
  const gone = rows.filter(({ id }) => !needed.has(id));
  if (gone.length === 0) return;
  const { removed } = await sequenceNow(session);
  const upTo = Math.max(removed, ...gone.map(({ seq }) => seq ?? 0));
  await session.update(eventSequences, { slot: 1 }, { removed: upTo });
  await session.remove(events, { id: { in: gone.map(({ id }) => id) } });
}
