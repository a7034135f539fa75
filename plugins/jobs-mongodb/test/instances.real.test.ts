import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropDatabase, type MongoClock, newDatabase, sharedServer, startClock } from './mongodb.js';
import { listRings, until } from './ring-list.js';

const otherInstance = fileURLToPath(new URL('./hanging-instance.mjs', import.meta.url));

describe.skipIf(sharedServer === '')('several instances on one MongoDB', () => {
  let uri: string;
  const clocks: MongoClock[] = [];
  const open = async () => {
    const clock = await startClock(uri);
    clocks.push(clock);
    return clock;
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
    for (const clock of clocks.splice(0)) await clock.stop?.();
    await dropDatabase(uri);
  });

  it('ring each alarm once, whoever armed it', async () => {
    const [first, second] = [await open(), await open()];
    const rings = [listRings(first), listRings(second)];
    const keys = Array.from({ length: 100 }, (_, index) => `key-${index}`);
    const at = Date.now() + 400;
    await Promise.all(
      keys.map((key, index) => (index % 2 ? first : second).ring(key, at + (index % 10) * 100)),
    );
    await until('all rings', 20_000, () => rings.flat().length >= keys.length);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(rings.flat().sort()).toEqual(keys.sort());
  });

  it('keep one alarm for a key that both arm at one moment', async () => {
    const [first, second] = [await open(), await open()];
    const rings = [listRings(first), listRings(second)];
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    const at = Date.now() + 1_000;
    await Promise.all(keys.flatMap((key) => [first, second, first].map((clock) => clock.ring(key, at))));
    await until('all rings', 20_000, () => rings.flat().length >= keys.length);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(rings.flat().sort()).toEqual(keys.sort());
  });

  it('ring what another one armed and did not live to ring', async () => {
    const first = await open();
    await first.ring('left', Date.now() + 300);
    await first.stop?.();
    const rings = listRings(await open());
    await until('the ring', 10_000, () => rings.includes('left'));
  });

  it('do not take alarms before they have a handler', async () => {
    const [deaf, hearing] = [await open(), await open()];
    await deaf.ring('early', 0);
    const rings = listRings(hearing);
    await until('the ring', 10_000, () => rings.includes('early'));
  });

  it('ring again what an instance held that was killed', async () => {
    const arming = await open();
    const killed = startOther();
    await arming.ring('held', Date.now());
    await firstWords(killed, 'held');
    const rings = listRings(arming);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(rings, 'it rang although another instance was at it').toEqual([]);
    killed.kill('SIGKILL');
    await until('the ring elsewhere', 12_000, () => rings.includes('held'));
  });
});

async function firstWords({ stdout }: ChildProcess, words: string): Promise<void> {
  const [text] = await once(stdout as NodeJS.ReadableStream, 'data');
  expect(`${text}`.trim()).toBe(words);
}
