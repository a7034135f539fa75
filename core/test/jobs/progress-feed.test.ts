import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { makeProgressFeed } from '../../src/engine/jobs/progress-feed.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import { silentLog } from '../fakes/silent-log.js';
import { memoryStorage, pass } from './engine-world.js';

const stops: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

function world() {
  const storage = faultyStorage(memoryStorage());
  const feed = makeProgressFeed({ storage, log: silentLog() });
  return {
    storage,
    run: (status: JobRow['status'] = 'running') =>
      storage.insert(jobs, {
        kind: 'check',
        status,
        repository_path: '/r',
        repository_name: 'r',
        requested_by: 'alice',
        requested_at: 0,
        parameters: {},
        progress: noProgress,
      }),
    progress: (id: number, percent: number) =>
      storage.update(jobs, { id }, { progress: { ...noProgress, percent } }),
    listen() {
      const heard: string[] = [];
      const stop = feed.follow((rows) =>
        heard.push(rows.map(({ id, progress }) => `${id}: ${progress.percent}`).join(', ')),
      );
      stops.push(stop);
      return { heard, stop };
    },
  };
}

it('sends all running jobs once, then only changed ones each second', async () => {
  const { run, progress, listen } = world();
  const [first, second] = [await run(), await run()];
  await run('pending');
  const { heard } = listen();
  await pass(1_000);
  expect(heard).toEqual([`${first.id}: 0, ${second.id}: 0`]);
  await progress(first.id, 10);
  await pass(500);
  await progress(first.id, 20);
  const later = listen();
  await pass(500);
  await pass(5_000);
  expect(heard.slice(1)).toEqual([`${first.id}: 20`]);
  expect(later.heard).toEqual([`${first.id}: 20, ${second.id}: 0`]);
});

it('reads nothing without listeners and continues after a storage outage', async () => {
  const { storage, run, progress, listen } = world();
  const { id } = await run();
  await pass(5_000);
  const reads = () => storage.calls.find ?? 0;
  expect(reads()).toBe(0);
  const { heard, stop } = listen();
  storage.become('down');
  await pass(3_000);
  storage.become('well');
  await progress(id, 5);
  await pass(1_000);
  expect(heard).toEqual([`${id}: 5`]);
  stop();
  const before = reads();
  await pass(5_000);
  expect(reads()).toBe(before);
});
