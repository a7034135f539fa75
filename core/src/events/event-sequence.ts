import { type StorageBackend, type StorageSession, StoreError } from '@holdfast/plugin-api';
import { inTransaction } from '../kernel/index.js';
import { type EventRow, type EventSequenceRow, eventSequences, events } from './tables.js';

/** An event that has its place. */
export type PlacedEvent = EventRow & { seq: number };

const atOnce = 200;

/*
 * Ids are given when a row is inserted, but transactions commit in another order: whoever reads on from the highest id
 * that it has seen would miss what commits later with a lower one. So events get their place after their commit, by
 * one transaction at a time: whoever sees a place sees all before it.
 */

/** Gives every event that is committed its place. Any number of processes may do it at once. */
export async function placeEvents(storage: StorageBackend): Promise<void> {
  for (;;) {
    const waiting = await storage.find(events, { where: { seq: null }, limit: 1 });
    if (waiting.length === 0) return;
    await inTransaction(storage, placeSome);
  }
}

async function placeSome(session: StorageSession): Promise<void> {
  const rows = await session.find(events, { where: { seq: null }, order: [['id', 'asc']], limit: atOnce });
  if (rows.length === 0) return;
  const { head } = (await readSequence(session)) ?? (await session.insert(eventSequences, {}));
  const raised = await session.update(eventSequences, { slot: 1, head }, { head: head + rows.length });
  if (raised === 0) throw met();
  for (const [index, { id }] of rows.entries()) {
    const placed = await session.update(events, { id, seq: null }, { seq: head + index + 1 });
    if (placed === 0) throw met();
  }
}

const met = () => new StoreError('conflict', 'Another process gave events their places.');

/** `removed`: events up to this place may be gone. */
export async function sequenceNow(
  session: StorageSession,
): Promise<Pick<EventSequenceRow, 'head' | 'removed'>> {
  return (await readSequence(session)) ?? { head: 0, removed: 0 };
}

async function readSequence(session: StorageSession): Promise<EventSequenceRow | undefined> {
  const [row] = await session.find(eventSequences, { where: { slot: 1 }, limit: 1 });
  return row;
}

/** The events behind a place, in order, without a gap. */
export async function eventsBehind(
  session: StorageSession,
  place: number,
  limit: number,
): Promise<PlacedEvent[]> {
  const query = { where: { seq: { gt: place } }, order: [['seq', 'asc'] as const], limit };
  return (await session.find(events, query)) as PlacedEvent[];
}
