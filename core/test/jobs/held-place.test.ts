import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { HeldPlace } from '../../src/engine/jobs/held-place.fs.js';
import { RunningJobs } from '../../src/engine/jobs/running-jobs.js';

const running = new RunningJobs({ work: 1, pull: 0 });
let end = () => {};
afterEach(() => end());

function hold(command: string[]) {
  const [program = '', ...words] = command;
  const child = spawn(program, words, { stdio: 'ignore' });
  end = () => void child.kill('SIGKILL');
  running.occupy('work');
  return { child, pid: child.pid as number };
}

test('frees the job slot of an idle tool until the job ends', async () => {
  const { pid, child } = hold(['sleep', '600']);
  let place: HeldPlace | null = null;
  await new Promise<void>((resolve) => {
    place = new HeldPlace(running, 'work', { stalledAfter: 300, onFree: resolve });
    place.watch(pid);
  });
  expect(running.hasPlace('work')).toBe(true);
  (place as HeldPlace | null)?.end();
  expect(running.hasPlace('work')).toBe(false);
  running.vacate('work');
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('keeps the job slot of a working tool', async () => {
  const { pid } = hold(['sh', '-c', 'while :; do :; done']);
  const place = new HeldPlace(running, 'work', { stalledAfter: 1_500, onFree: () => {} });
  place.watch(pid);
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect(running.hasPlace('work')).toBe(false);
  place.end();
  running.vacate('work');
});
