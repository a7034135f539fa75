import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeEventFeed } from '../../src/foundation/events/event-feed.js';
import { events } from '../../src/foundation/events/tables.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { silentLog } from '../fakes/silent-log.js';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});
const never = new AbortController().signal;

function world() {
  const shared = memoryStorage();
  const storage = faultyStorage(shared);
  const log = silentLog();
  let wake = () => {};
  const follow = (look: () => void) => {
    wake = look;
    return () => {
      wake = () => {};
    };
  };
  const feed = makeEventFeed({ storage, log, follow, everyMs: 20 });
  const happen = (count = 1) =>
    Promise.all(
      Array.from({ length: count }, (_, n) => shared.insert(events, { kind: `k${n}`, at: 1, data: {} })),
    );
  const readFrom = async (place: number, count: number) => {
    const places: number[] = [];
    while (places.length < count) {
      const rows = await feed.read(places.at(-1) ?? place);
      places.push(...rows.map(({ seq }) => seq));
      if (rows.length === 0) await feed.changed(places.at(-1) ?? place, new AbortController().signal);
    }
    return places;
  };
  return { feed, storage, log, happen, readFrom, wake: () => wake() };
}
const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

describe('the feed of events', () => {
  it('contains earlier events and those of other instances', async () => {
    const { feed, happen, readFrom } = world();
    await happen(450);
    stops.push(feed.join());
    const all = readFrom(0, 900);
    await happen(450);
    expect(await all).toEqual(upTo(1, 900));
    expect(await readFrom(700, 200)).toEqual(upTo(701, 900));
  });

  it('keeps only so many in memory, and has the others still', async () => {
    const { feed, happen, readFrom } = world();
    stops.push(feed.join());
    await happen(1_200);
    expect(await readFrom(0, 1_200)).toEqual(upTo(1, 1_200));
  });

  it('asks once for all its readers, and not at all without one', async () => {
    vi.useFakeTimers();
    const { feed, storage, happen, readFrom } = world();
    const leaves = upTo(1, 50).map(() => feed.join());
    await happen();
    const all = Promise.all(leaves.map(() => readFrom(0, 1)));
    await vi.advanceTimersByTimeAsync(100);
    await all;
    const before = storage.calls.find ?? 0;
    await vi.advanceTimersByTimeAsync(200);
    const asked = (storage.calls.find ?? 0) - before;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(40);
    for (const leave of leaves) leave();
    await vi.advanceTimersByTimeAsync(30);
    const after = storage.calls.find;
    await vi.advanceTimersByTimeAsync(60);
    expect(storage.calls.find).toBe(after);
  });

  it('continues after an outage of the storage and logs it once', async () => {
    const { feed, storage, log, happen, readFrom } = world();
    stops.push(feed.join());
    await happen();
    await readFrom(0, 1);
    storage.become('down');
    await happen();
    await new Promise((resolve) => setTimeout(resolve, 100));
    storage.become('well');
    expect(await readFrom(1, 1)).toEqual([2]);
    expect(log.entries.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  it.each(['down', 'frozen'] as const)(
    'rejects waiting readers when the storage has been %s for seconds',
    async (state) => {
      vi.useFakeTimers();
      const { feed, storage } = world();
      stops.push(feed.join());
      await vi.advanceTimersByTimeAsync(20_000);
      const waiting = feed.changed(5, never).catch((error: Error) => error.message);
      storage.become(state);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await Promise.race([waiting, Promise.resolve('waits')])).toMatch(/does not respond/);
      storage.become('well');
      await vi.advanceTimersByTimeAsync(1_000);
      const after = feed.changed(5, never);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await Promise.race([after, Promise.resolve('waits')])).toBe('waits');
    },
  );

  it('releases a waiting reader on abort', async () => {
    const { feed } = world();
    stops.push(feed.join());
    const leaving = new AbortController();
    const waiting = feed.changed(5, leaving.signal);
    leaving.abort();
    await waiting;
  });
});
