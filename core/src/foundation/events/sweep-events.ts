import type { StorageSession } from '@holdfast/plugin-api';
import { inTransaction } from '../kernel/index.js';
import { placeEvents, sequenceNow } from './event-sequence.js';
import type { EventsNeeds } from './needs.js';
import { type EventRow, eventSequences, events } from './tables.js';

/** A stream that was disconnected for longer has to start over. */
export const eventRetentionMs = 30 * 86_400_000;

const batchSize = 200;

type NeededEvents = (session: StorageSession, ids: readonly number[]) => Promise<ReadonlySet<number>>;

/**
 * Removes old events that have a sequence number, but none that `neededOf` finds among their ids. Without readers nobody
 * else numbers them.
 */
export const sweepEvents =
  (
    { storage, clock }: Pick<EventsNeeds, 'storage' | 'clock'>,
    neededOf: NeededEvents,
    retentionMs = eventRetentionMs,
  ) =>
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
      await inTransaction(storage, (session) => remove(session, rows, neededOf));
    }
  };

async function remove(session: StorageSession, rows: readonly EventRow[], neededOf: NeededEvents) {
  const needed = await neededOf(
    session,
    rows.map(({ id }) => id),
  );
  const gone = rows.filter(({ id }) => !needed.has(id));
  if (gone.length === 0) return;
  const { removed } = await sequenceNow(session);
  const upTo = Math.max(removed, ...gone.map(({ seq }) => seq ?? 0));
  await session.update(eventSequences, { slot: 1 }, { removed: upTo });
  await session.remove(events, { id: { in: gone.map(({ id }) => id) } });
}
