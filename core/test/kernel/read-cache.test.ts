import { expect, test, vi } from 'vitest';
import { ReadCache } from '../../src/foundation/kernel/read-cache.js';

function world() {
  let changeToken = 1;
  const storage = { changeToken: vi.fn(async () => String(changeToken)) };
  const kept = new ReadCache(storage);
  let made = 0;
  const make = vi.fn(async () => ({ made: ++made }));
  return { storage, kept, make, commit: () => void changeToken++ };
}

test('returns the cached value until a commit', async () => {
  const { kept, make, commit } = world();
  const first = await kept.read('a', make);
  expect(await kept.read('a', make)).toBe(first);
  expect(await kept.read('b', make)).not.toBe(first);
  commit();
  expect(await kept.read('a', make)).toEqual({ made: 3 });
  expect(make).toHaveBeenCalledTimes(3);
});

test('reads again for another moment', async () => {
  const { kept, make } = world();
  const first = await kept.read('a', make, 1);
  expect(await kept.read('a', make, 1)).toBe(first);
  expect(await kept.read('a', make, 2)).toEqual({ made: 2 });
  expect(await kept.read('a', make, 1)).toEqual({ made: 3 });
});

test('returns frozen values', async () => {
  const { kept, make } = world();
  expect(Object.isFrozen(await kept.read('a', make))).toBe(true);
  const without = new ReadCache({});
  expect(Object.isFrozen(await without.read('a', make))).toBe(true);
});

test('reads each time from a storage without a change token', async () => {
  const { make } = world();
  const kept = new ReadCache({});
  await kept.read('a', make);
  expect(await kept.read('a', make)).toEqual({ made: 2 });
});

test('sees commits before the request, even with an older token pending', async () => {
  const changeTokens: ((changeToken: string) => void)[] = [];
  const kept = new ReadCache({ changeToken: () => new Promise((resolve) => changeTokens.push(resolve)) });
  let stored = 'old';
  const make = async () => ({ stored });
  const before = kept.read('a', make);
  stored = 'new';
  const after = [kept.read('a', make), kept.read('a', make)];
  changeTokens[0]?.('1');
  await before;
  await vi.waitFor(() => expect(changeTokens).toHaveLength(2), 20_000);
  changeTokens[1]?.('2');
  expect(await Promise.all(after)).toEqual([{ stored: 'new' }, { stored: 'new' }]);
  expect(changeTokens).toHaveLength(2);
});

test('shows a change during a read to the next request', async () => {
  const { kept, commit } = world();
  let stored = 'old';
  const read = () => kept.read('a', async () => ({ stored }));
  const slow = kept.read('a', async () => {
    const seen = stored;
    stored = 'new';
    commit();
    return { stored: seen };
  });
  expect(await slow).toEqual({ stored: 'old' });
  expect(await read()).toEqual({ stored: 'new' });
});

test('rejects with a failure and does not cache it', async () => {
  const { kept, make, storage } = world();
  await expect(kept.read('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await kept.read('a', make)).toEqual({ made: 1 });
  storage.changeToken.mockRejectedValueOnce(new Error('away'));
  await expect(kept.read('a', make)).rejects.toThrow('away');
  expect(await kept.read('a', make)).toEqual({ made: 1 });
});

test('evicts the oldest values', async () => {
  const { kept, make } = world();
  for (let n = 0; n < 200; n++) await kept.read(`${n}`, make);
  await kept.read('199', make);
  expect(make).toHaveBeenCalledTimes(200);
  await kept.read('0', make);
  expect(make).toHaveBeenCalledTimes(201);
});

test('shares readings of the change token between all caches of a storage', async () => {
  const { storage, make } = world();
  const [one, another] = [new ReadCache(storage), new ReadCache(storage)];
  await Promise.all([one.read('a', make), one.read('b', make), another.read('a', make)]);
  expect(storage.changeToken).toHaveBeenCalledTimes(2);
});

/** All that can go on without the test does. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('shares the next read between requests that arrive during commits', async () => {
  const { kept, commit } = world();
  let stored = 'first';
  const gates: (() => void)[] = [];
  const make = vi.fn(async () => {
    const seen = stored;
    await new Promise<void>((resolve) => gates.push(resolve));
    return { stored: seen };
  });
  const slow = kept.read('a', make);
  await settled();
  const later: Promise<object>[] = [];
  for (const value of ['second', 'third']) {
    stored = value;
    commit();
    later.push(kept.read('a', make));
    await settled();
  }
  expect(make).toHaveBeenCalledTimes(1);
  gates[0]?.();
  expect(await slow).toEqual({ stored: 'first' });
  await settled();
  gates[1]?.();
  expect(await Promise.all(later)).toEqual([{ stored: 'third' }, { stored: 'third' }]);
  expect(make).toHaveBeenCalledTimes(2);
});

test('keeps serving later requests after a failure', async () => {
  const { kept, make, commit, storage } = world();
  let fail = () => {};
  const pending = new Promise<object>((_, reject) => {
    fail = () => reject(new Error('down'));
  });
  const failing = kept.read('a', () => pending);
  await settled();
  commit();
  const next = kept.read('a', make);
  await settled();
  storage.changeToken.mockRejectedValueOnce(new Error('away'));
  fail();
  await expect(failing).rejects.toThrow('down');
  await expect(next).rejects.toThrow('away');
  expect(await kept.read('a', make)).toEqual({ made: 1 });
});
