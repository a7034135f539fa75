import { expect, it } from 'vitest';
import { Turns } from '../src/turns.js';

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** When all that could go on has gone on. */
const allElse = () => new Promise((resolve) => setImmediate(resolve, 'all else'));

it('runs changes in the order of requests, even after a failed one', async () => {
  const turns = new Turns({ passedAfterMs: 60_000 });
  const order: string[] = [];
  const first = gate();
  const works = ['a', 'b', 'c'].map((name) =>
    turns.run(async () => {
      order.push(`${name} begins`);
      if (name === 'a') await first.opened;
      order.push(`${name} ends`);
      if (name === 'b') throw new Error('of the work');
    }),
  );
  const ended = Promise.allSettled(works);
  await allElse();
  expect(order).toEqual(['a begins']);
  first.open();
  expect((await ended).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

it('does not wait for a slow one', async () => {
  const turns = new Turns({ passedAfterMs: 10 });
  const first = gate();
  const long = turns.run(() => first.opened);
  await turns.run(async () => {});
  first.open();
  await long;
});

it('refuses one as a conflict after its wait while the next still waits', async () => {
  const turns = new Turns({ refusedAfterMs: 20 });
  const first = gate();
  const holding = turns.run(() => first.opened);
  let ran = false;
  const impatient = turns.run(async () => {
    ran = true;
  });
  await expect(impatient).rejects.toMatchObject({ kind: 'conflict' });
  const next = turns.run(async () => 'next');
  expect(await Promise.race([next, allElse()])).toBe('all else');
  first.open();
  expect(await next).toBe('next');
  await holding;
  expect(ran).toBe(false);
});
