import { expect, it } from 'vitest';
import { OneAtATime } from '../../src/foundation/kernel/one-at-a-time.js';

it.each(Array.from({ length: 12 }, (_, n) => n))(
  'runs work requested %i microtasks after the beginning of a run after it',
  async (microtasks) => {
    const turns = new OneAtATime<'key'>();
    let runs = 0;
    const work = async () => {
      runs += 1;
    };
    const first = turns.run('key', work);
    for (let n = 0; n < microtasks; n += 1) await Promise.resolve();
    await turns.run('key', work);
    await first;
    expect(runs).toBe(2);
  },
);

it('releases the key after a failed run', async () => {
  const turns = new OneAtATime<'key'>();
  await expect(turns.run('key', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  let ran = false;
  await turns.run('key', async () => {
    ran = true;
  });
  expect(ran).toBe(true);
});
