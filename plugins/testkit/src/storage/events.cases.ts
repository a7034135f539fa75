import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type StorageBackend, StoreError } from '@holdfast/plugin-api';
import { retried, type StorageChecks } from './context.js';
import { type EventRow, eventSequences, events } from './tables.js';

const event = (kind: string) => ({ kind, at: 1, data: {} });
/** Transactions one after another, each open for some time: slow ones are overtaken, if the storage allows it. */
const lanes = [
  { name: 'slow', count: 3, openMs: 120 },
  { name: 'quick', count: 10, openMs: 15 },
];

export const eventChecks: StorageChecks = {
  'events of overlapping transactions are read in one order, without a gap': async ({ storage, another }) => {
    const both = [storage, await another()];
    const reading = new AbortController();
    const readers = Promise.all(both.map((each) => follow(each, reading.signal)));
    const writers = both.flatMap((each, n) => lanes.map((lane) => write(each, { ...lane, n })));
    // A failed reader is reported at the end: until then nobody awaits it.
    readers.catch(() => {});
    const lists = await Promise.all(writers).finally(() => reading.abort());
    const committed = lists.flat().sort();
    for (const read of await readers) {
      assert.deepEqual(read.map(({ kind }) => kind).sort(), committed);
      assert.deepEqual(
        read.map(({ seq }) => seq),
        committed.map((_, index) => index + 1),
      );
    }
  },
};

interface Lane {
  name: string;
  n: number;
  count: number;
  openMs: number;
}

/** Two events in each transaction; every third transaction is rolled back. Returns what was committed. */
async function write(storage: StorageBackend, { name, n, count, openMs }: Lane): Promise<string[]> {
  const committed: string[] = [];
  for (let round = 0; round < count; round++) {
    const kinds = ['first', 'second'].map((which) => `${name}-${n}-${round}-${which}`);
    const undone = new Error('undone');
    const work = retried(storage, async (session) => {
      for (const kind of kinds) {
        await session.insert(events, event(kind));
        await pause(openMs / 2);
      }
      if (round % 3 === 2) throw undone;
      return kinds;
    });
    committed.push(
      ...(await work.catch((error: unknown) => (error === undone ? [] : Promise.reject(error)))),
    );
  }
  return committed;
}

/** Assigns sequence numbers and reads on from the last one, as every instance does. */
async function follow(storage: StorageBackend, signal: AbortSignal): Promise<EventRow[]> {
  const read: EventRow[] = [];
  for (let last = false; !last; ) {
    last = signal.aborted;
    await placeEvents(storage);
    read.push(...(await eventsBehind(storage, read.at(-1), 3)));
    const rest = last && (await eventsBehind(storage, read.at(-1), 1)).length > 0;
    if (rest) last = false;
    else if (!last) await pause(5);
  }
  return read;
}

/** As the service does it: ids are assigned at the insert, sequence numbers after the commit. */
async function placeEvents(storage: StorageBackend): Promise<void> {
  const waiting = await storage.find(events, { where: { seq: null }, limit: 1 });
  if (waiting.length === 0) return;
  await retried(storage, async (session) => {
    const rows = await session.find(events, { where: { seq: null } });
    if (rows.length === 0) return;
    const [{ head } = await session.insert(eventSequences, {})] = await session.find(eventSequences);
    if ((await session.update(eventSequences, { slot: 1, head }, { head: head + rows.length })) === 0)
      throw met();
    for (const [index, { id }] of rows.entries()) {
      if ((await session.update(events, { id, seq: null }, { seq: head + index + 1 })) === 0) throw met();
    }
  });
}

const met = () => new StoreError('conflict', 'Another instance assigned sequence numbers.');

const eventsBehind = (storage: StorageBackend, last: EventRow | undefined, limit: number) =>
  storage.find(events, { where: { seq: { gt: last?.seq ?? 0 } }, order: [['seq', 'asc']], limit });
