import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, createRepository, endedJob, type Job, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { isDeep } from '../lane.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

const most = 2;
const [repositories, each] = isDeep ? [5, 4] : [3, 3];

let server: TestServer;
let api: Api;

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory', env: { MAX_CONCURRENT_JOBS: `${most}` } });
  api = await server.login();
});
afterAll(() => server?.remove());

const span = (job: Job) => [Date.parse(job.started_at ?? ''), Date.parse(job.completed_at ?? '')] as const;

test(`runs ${repositories * each} backups of ${repositories} repositories one at a time each`, async () => {
  const source = server.workspace.folder('source');
  makeFiles(source, 50);
  const numbers = Array.from({ length: repositories }, (_, n) => n);
  const paths = numbers.map((n) => join(server.workspace.path, `repository-${n}`));
  for (const path of paths) await createRepository(api, { name: path, path, source_directories: [source] });

  const wanted = Array.from({ length: repositories * each }, (_, n) => paths[n % paths.length] ?? '');
  const ids = await Promise.all(wanted.map((path) => startBackup(api, path)));
  const jobs = await Promise.all(ids.map((id) => endedJob(api, id, 200_000)));

  expect(jobs.map(({ status, error_message }) => [status, error_message])).toEqual(
    jobs.map(() => ['completed', null]),
  );
  for (const path of paths) {
    const spans = jobs.filter(({ repository }) => repository === path).map(span);
    spans.sort(([a], [b]) => a - b);
    expect(spans).toHaveLength(each);
    for (const [n, [started]] of spans.entries())
      expect(started).toBeGreaterThanOrEqual(spans[n - 1]?.[1] ?? 0);
    expect(new Set((await archivesOf(api, path)).map(({ name }) => name)).size).toBe(each);
  }
  expect(mostAtOnce(jobs)).toBeGreaterThan(1);
  expect(mostAtOnce(jobs)).toBeLessThanOrEqual(most);
});

/** Ends count before starts of the same millisecond. */
function mostAtOnce(jobs: Job[]): number {
  const steps = jobs.map(span).flatMap(([start, end]) => [
    { at: start, step: 1 },
    { at: end, step: -1 },
  ]);
  steps.sort((a, b) => a.at - b.at || a.step - b.step);
  let now = 0;
  return Math.max(...steps.map(({ step }) => (now += step)));
}

test('shows the reason why a backup waits, and cancels a pending one', async () => {
  const path = join(server.workspace.path, 'busy');
  const source = server.workspace.folder('source');
  await createRepository(api, { name: 'busy', path, source_directories: [source] });
  const held = new MemoryRepository(path);
  held.hold();
  const first = await startBackup(api, path);
  const answer = await api.post('/api/backup/start', { repository: path });
  expect(answer.body).toMatchObject({ status: 'pending' });
  expect(answer.body.message).toMatch(new RegExp(`wait|${first}`, 'i'));

  const cancelled = await api.post(`/api/backup/cancel/${answer.body.job_id}`);
  expect(cancelled.body).toMatchObject({ success: true, process_terminated: false });
  expect(await endedJob(api, answer.body.job_id)).toMatchObject({ status: 'cancelled', started_at: null });
  held.release();
  expect((await endedJob(api, first)).status).toBe('completed');
  expect(await archivesOf(api, path)).toHaveLength(1);
});
