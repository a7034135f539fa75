import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Dependencies } from '../../../src/app/app.js';
import type { CacheChoice } from '../../../src/backup/archives/cache/cache-control.js';
import {
  followCacheSettings,
  updateCacheSettings,
} from '../../../src/backup/archives/cache/cache-settings.js';
import { settings } from '../../../src/foundation/kernel/tables.js';
import { memoryStorage } from '../../fakes/memory-storage.js';
import { plainRedactor } from '../../fakes/plain-redactor.js';
import { silentLog } from '../../fakes/silent-log.js';

const environment: CacheChoice = {
  url: null,
  enabled: true,
  ttlSeconds: 7200,
  maxSizeMb: 2048,
  warmAfterBackup: false,
};

/** One of several services on the same storage. */
function instance(storage: ReturnType<typeof memoryStorage>, intervalMs: number) {
  const control = { choice: environment, begun: 0, failure: null as Error | null };
  const set = async (choice: CacheChoice) => {
    if (control.failure) throw control.failure;
    control.choice = choice;
  };
  const begin = async (choice: CacheChoice) => {
    control.begun++;
    await set(choice);
  };
  const apply = async (choice: CacheChoice) => {
    await set(choice);
    return null;
  };
  const needs = {
    storage,
    cacheControl: Object.assign(control, { begin, apply }),
    secrets: {
      seal: (_: string, text: string) => `sealed ${text}`,
      open: (_: string, text: string) => text.slice(7),
    },
    redactor: plainRedactor(),
    settings: { cache: environment },
    log: silentLog(),
  } as unknown as Dependencies;
  return {
    control,
    needs,
    update: updateCacheSettings.bind(null, needs),
    end: followCacheSettings(needs, { lookEvery: intervalMs }),
  };
}

let ends: (() => void)[];
beforeEach(() => {
  ends = [];
});
afterEach(() => {
  for (const end of ends) end();
});
function instances(intervalMs = 10) {
  const storage = memoryStorage();
  const both = [instance(storage, intervalMs), instance(storage, intervalMs)] as const;
  ends = both.map(({ end }) => end);
  return { storage, both };
}

test('applies the latest cache settings on every instance', async () => {
  const {
    both: [one, other],
  } = instances();
  await one.update({ url: 'redis://somewhere:6379/1', ttl_seconds: 60 });
  const expected = { url: 'redis://somewhere:6379/1', ttlSeconds: 60, maxSizeMb: 2048 };
  await vi.waitFor(() => expect(other.control.choice).toMatchObject(expected));
  await other.update({ url: '', max_size_mb: 5 });
  await vi.waitFor(() =>
    expect(one.control.choice).toMatchObject({ url: null, ttlSeconds: 60, maxSizeMb: 5 }),
  );
  await one.update({ url: null, ttl_seconds: null, max_size_mb: null });
  await vi.waitFor(() => expect(other.control.choice).toEqual(environment));
});

test('sets up nothing again without changed settings', async () => {
  const {
    storage,
    both: [one, other],
  } = instances();
  const find = vi.spyOn(storage, 'find');
  await one.update({ ttl_seconds: 60 });
  await vi.waitFor(() => expect(other.control.choice.ttlSeconds).toBe(60));
  const before = find.mock.calls.length;
  await vi.waitFor(() => expect(find.mock.calls.length).toBeGreaterThan(before + 6));
  expect([one.control.begun, other.control.begun]).toEqual([0, 1]);
});

test('retries failed settings only after a change, and a failed storage until it answers', async () => {
  const {
    storage,
    both: [one, other],
  } = instances();
  other.control.failure = new Error('no such store');
  await one.update({ ttl_seconds: 60 });
  await vi.waitFor(() => expect(other.control.begun).toBe(1));
  other.control.failure = null;
  const find = vi.spyOn(storage, 'find').mockRejectedValueOnce(new Error('away'));
  await vi.waitFor(() => expect(find.mock.calls.length).toBeGreaterThan(6));
  expect([other.control.begun, other.control.choice.ttlSeconds]).toEqual([1, 7200]);
  await one.update({ ttl_seconds: 90 });
  await vi.waitFor(() => expect(other.control.choice.ttlSeconds).toBe(90));
});

test('reads one row every three seconds', async () => {
  vi.useFakeTimers();
  try {
    const storage = memoryStorage();
    const { control, needs, end } = instance(storage, 60_000);
    end();
    ends = [followCacheSettings(needs)];
    await storage.insert(settings, { key: 'cache', value: { ttlSeconds: 61 } });
    const find = vi.spyOn(storage, 'find');
    await vi.advanceTimersByTimeAsync(2_900);
    expect(find).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(control.choice.ttlSeconds).toBe(61);
    await vi.advanceTimersByTimeAsync(30_000);
    // One more where there was something to take over.
    expect(find).toHaveBeenCalledTimes(12);
  } finally {
    vi.useRealTimers();
  }
});
