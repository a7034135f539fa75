import { type StorageBackend, type StorageSession, StoreError } from '@holdfast/plugin-api';
import { inTransaction } from '../kernel/index.js';
import { type EventRow, type EventSequenceRow, eventSequences, events } from './tables.js';

/** An event that has its sequence number. */
export type PlacedEvent = EventRow & { seq: number };

const batchSize = 200;

/*
 * Ids are assigned at insert, but transactions commit in another order: a reader that continues from the
 * highest id it has seen would miss a lower id that commits later. So events get their sequence number after
 * their commit, in one transaction at a time: a reader that sees a number can see all lower ones.
 */

/** Gives every committed event its sequence number while `going`. Safe to run in several processes at once. */
export async function placeEvents(storage: StorageBackend, going = () => true): Promise<void> {
  while (going()) {
    const waiting = await storage.find(events, { where: { seq: null }, limit: 1 });
    if (waiting.length === 0) return;
    await inTransaction(storage, placeSome);
  }
}

async function placeSome(session: StorageSession): Promise<void> {
  const rows = await session.find(events, { where: { seq: null }, order: [['id', 'asc']], limit: batchSize });
  if (rows.length === 0) return;
  const { head } = (await readSequence(session)) ?? (await session.insert(eventSequences, {}));
  const raised = await session.update(eventSequences, { slot: 1, head }, { head: head + rows.length });
  if (raised === 0) throw lostRace();
  for (const [index, { id }] of rows.entries()) {
    const placed = await session.update(events, { id, seq: null }, { seq: head + index + 1 });
    if (placed === 0) throw lostRace();
  }
}

const lostRace = () => new StoreError('conflict', 'Another process numbered these events.');

/** `removed`: events up to this sequence number may be gone. */
export async function sequenceNow(
  session: StorageSession,
): Promise<Pick<EventSequenceRow, 'head' | 'removed'>> {
  return (await readSequence(session)) ?? { head: 0, removed: 0 };
}

async function readSequence(session: StorageSession): Promise<EventSequenceRow | undefined> {
  const [row] = await session.find(eventSequences, { where: { slot: 1 }, limit: 1 });
  return row;
}

/** The events after a sequence number, in order, without gaps. */
export async function eventsBehind(
  session: StorageSession,
  place: number,
  limit: number,
): Promise<PlacedEvent[]> {
  const query = { where: { seq: { gt: place } }, order: [['seq', 'asc'] as const], limit };
  return (await session.find(events, query)) as PlacedEvent[];
}
