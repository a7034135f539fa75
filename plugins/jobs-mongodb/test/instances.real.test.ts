import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFired, until } from './fired-list.js';
import { dropDatabase, type MongoTimers, newDatabase, sharedServer, startClock } from './mongodb.js';

const otherInstance = fileURLToPath(new URL('./hanging-instance.mjs', import.meta.url));

describe.skipIf(sharedServer === '')('several instances on one MongoDB', () => {
  let uri: string;
  const clocks: MongoTimers[] = [];
  const open = async () => {
    const timers = await startClock(uri);
    clocks.push(timers);
    return timers;
  };
  const children: ChildProcess[] = [];
  const startOther = () => {
    const child = spawn(process.execPath, [otherInstance], {
      env: { PATH: process.env.PATH, URI: uri },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  };
  beforeEach(() => {
    uri = newDatabase();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const timers of clocks.splice(0)) await timers.stop?.();
    await dropDatabase(uri);
  });

  it('fire each timer once on any instance', async () => {
    const [first, second] = [await open(), await open()];
    const fired = [listFired(first), listFired(second)];
    const keys = Array.from({ length: 100 }, (_, index) => `key-${index}`);
    const at = Date.now() + 400;
    await Promise.all(
      keys.map((key, index) => (index % 2 ? first : second).set(key, at + (index % 10) * 100)),
    );
    await until('all timers', 60_000, () => fired.flat().length >= keys.length);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(fired.flat().sort()).toEqual(keys.sort());
  });

  it('keep one timer for a key that both arm at one moment', async () => {
    const [first, second] = [await open(), await open()];
    const fired = [listFired(first), listFired(second)];
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    const at = Date.now() + 1_000;
    await Promise.all(keys.flatMap((key) => [first, second, first].map((timers) => timers.set(key, at))));
    await until('all timers', 60_000, () => fired.flat().length >= keys.length);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(fired.flat().sort()).toEqual(keys.sort());
  });

  it('fire timers of an instance that ended before', async () => {
    const first = await open();
    await first.set('left', Date.now() + 300);
    await first.stop?.();
    const fired = listFired(await open());
    await until('the timer', 60_000, () => fired.includes('left'));
  });

  it('do not take timers before they have a handler', async () => {
    const [deaf, hearing] = [await open(), await open()];
    await deaf.set('early', 0);
    const fired = listFired(hearing);
    await until('the timer', 60_000, () => fired.includes('early'));
  });

  it('fire timers again that a killed instance held', async () => {
    const arming = await open();
    const killed = startOther();
    await arming.set('held', Date.now());
    await firstWords(killed, 'held');
    const fired = listFired(arming);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(fired, 'it fired although another instance was at it').toEqual([]);
    killed.kill('SIGKILL');
    await until('the timer elsewhere', 12_000, () => fired.includes('held'));
  });
});

async function firstWords({ stdout }: ChildProcess, words: string): Promise<void> {
  const [text] = await once(stdout as NodeJS.ReadableStream, 'data');
  expect(`${text}`.trim()).toBe(words);
}
