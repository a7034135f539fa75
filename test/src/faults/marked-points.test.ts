import { describe, expect, test } from 'vitest';
import { isDeep } from '../lane.js';
import { kinds } from './kinds.js';
import { walk } from './walk.js';

const all = process.env.FAULTS_ALL === '1';
const seed = Number(process.env.FAULTS_SEED || 1);
/** A command names a kind, or none for all, as ring 3 does. */
const { FAULTS_KIND: only = isDeep ? '' : 'backup' } = process.env;
const say = (text: string) => process.stdout.write(`faults: ${text}\n`);

/** Two services at a time: more of them only wait for each other. */
const turns = Array.from({ length: 2 }, () => Promise.resolve());
async function inTurn<T>(index: number, work: () => Promise<T>): Promise<T> {
  const lane = index % turns.length;
  const done = (turns[lane] ?? Promise.resolve()).then(work);
  turns[lane] = done.then(
    () => {},
    () => {},
  );
  return done;
}

describe.concurrent('kill -9 at marked points', { timeout: all ? 7_200_000 : 1_200_000 }, () => {
  for (const [index, kind] of kinds.filter(({ name }) => name.startsWith(only)).entries()) {
    test(`${kind.name}: loses, blocks, repeats and leaves nothing after each`, async () => {
      const began = performance.now();
      const options = { seed, ...(all ? { onStep: say } : { atMost: isDeep ? 5 : 1 }) };
      const { reached, missed, points, broken } = await inTurn(index, () => walk(kind, options));
      expect(broken).toEqual([]);
      expect(reached.length).toBeGreaterThan(0);
      const seconds = Math.round((performance.now() - began) / 1_000);
      say(
        `${kind.name}: killed at ${reached.length} of ${points} points, ${missed.length} not met, ${seconds} s`,
      );
    });
  }
});
