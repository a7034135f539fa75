import { expect, test } from 'vitest';
import type { PluginDescription } from '../../src/engine/plugins/plugin-host.js';
import { getReadiness } from '../../src/insight/monitoring/system.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';

function world(find: () => Promise<never[]>, health: string | null = null) {
  const clock = manualClock();
  let asked = 0;
  const storage = {
    ...memoryStorage(),
    find: () => {
      asked += 1;
      return find();
    },
  };
  const describe = async () => [{ kind: 'storage', health } as PluginDescription];
  const plugins = { describe };
  return { clock, isReady: getReadiness({ storage, clock, plugins }), asked: () => asked };
}

test('asks the storage once a second, for however many', async () => {
  const { clock, isReady, asked } = world(async () => []);
  expect(await Promise.all(Array.from({ length: 20 }, isReady))).toEqual(Array(20).fill(true));
  expect(asked()).toBe(1);
  clock.advance(1_000);
  await isReady();
  expect(asked()).toBe(2);
});

test('is not ready while the storage refuses, and again when it answers', async () => {
  let away = true;
  const { clock, isReady } = world(async () => {
    if (away) throw new Error('gone');
    return [];
  });
  expect(await isReady()).toBe(false);
  away = false;
  clock.advance(1_000);
  expect(await isReady()).toBe(true);
});

test('is not ready while the storage takes no changes', async () => {
  const { isReady } = world(async () => [], 'it is read-only');
  expect(await isReady()).toBe(false);
});

test('does not wait for a storage that hangs, nor ask it again', async () => {
  const { clock, isReady, asked } = world(() => new Promise(() => {}));
  expect(await isReady()).toBe(false);
  clock.advance(1_000);
  expect(await isReady()).toBe(false);
  expect(asked()).toBe(1);
});
