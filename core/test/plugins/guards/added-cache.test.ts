import { EventEmitter } from 'node:events';
import type { CacheStore } from '@holdfast/plugin-api';
import { afterEach, expect, test } from 'vitest';
import { GuardedStore } from '../../../src/backup/archives/cache/guarded-store.js';
import { quietStore } from '../../../src/engine/plugins/guard-port.js';
import { silentLog } from '../../fakes/silent-log.js';
import { never, oddValues } from './odd-values.js';

/** An added cache as the service uses it: heard, and behind the guard that every external store has. */
class MoodyStore extends EventEmitter {
  readonly #values = new Map<string, unknown>();
  act: (() => unknown) | null = null;

  readonly #do = (work: () => unknown) => (this.act ? this.act() : Promise.resolve(work()));
  get = (key: string) => this.#do(() => this.#values.get(key));
  set = (key: string, value: unknown) => this.#do(() => Boolean(this.#values.set(key, value)));
  delete = (key: string) => this.#do(() => this.#values.delete(key));
  clear = () => this.#do(() => this.#values.clear());
  usage = () => this.#do(() => ({ entries: this.#values.size, bytes: 0 }));
  keysWith = () => (this.act ? this.act() : [[...this.#values.keys()]]);
}

let guard: GuardedStore;
afterEach(() => guard.end());

async function opened() {
  const store = new MoodyStore();
  const log = silentLog();
  const times = { read: 30, doubtful: 30, write: 30, sweep: 30, firstProbe: 20, maxPause: 20 };
  const heard = quietStore(store as unknown as CacheStore, { name: 'moody', log });
  guard = new GuardedStore({ store: heard, log, times });
  expect(await guard.begin()).toBe(true);
  return store;
}

async function expectWithout() {
  expect(await guard.get('a')).toBeUndefined();
  expect(await guard.set('a', 'b')).toBe(false);
  expect(await guard.delete('a')).toBe(false);
  expect(await guard.allKeys('a')).toEqual([]);
  await guard.clear();
  expect(guard.inUse).toBe(false);
  expect(guard.problem).toMatch(/\w/);
}

test.each(oddValues)(
  'works without a cache for %s, thrown or rejected with, until it recovers',
  async (_name, value) => {
    const store = await opened();
    const thrower = () => {
      throw value;
    };
    for (const act of [thrower, () => Promise.reject(value)]) {
      store.act = act;
      await expectWithout();
      store.act = null;
      await expect.poll(() => guard.inUse).toBe(true);
    }
  },
);

test('works without a cache that never answers', async () => {
  const store = await opened();
  store.act = never;
  await expectWithout();
});

test('accepts a plain value and survives an error event', async () => {
  const store = await opened();
  store.act = () => 'at once';
  expect(await guard.get('a')).toBe('at once');
  expect(() => store.emit('error', undefined)).not.toThrow();
});
