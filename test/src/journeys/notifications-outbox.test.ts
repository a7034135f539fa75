import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, isTerminal, type Job, type Repository, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';
import { HttpSink, type SinkRequest, webhookUrl } from '../services/http-sink.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let sink: HttpSink;

beforeAll(async () => {
  const env = { MAX_CONCURRENT_JOBS: '1' };
  [server, sink] = await Promise.all([TestServer.start({ driver: 'memory', env }), HttpSink.open()]);
  api = await server.login();
  const answer = await api.post('/api/notifications', {
    name: 'ops',
    service_url: webhookUrl(sink),
    notify_on_backup_warning: false,
  });
  expect(answer.status).toBe(201);
});
afterAll(async () => {
  await server?.remove();
  await sink?.close();
});

const repositoriesOn = (source: string, count: number): Promise<Repository[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => {
      const path = join(server.workspace.path, `repository-${index}`);
      return createRepository(api, { name: `number ${index}`, path, source_directories: [source] });
    }),
  );

async function jobs(): Promise<Job[]> {
  return (await api.get('/api/backup/jobs', { limit: 200 })).body.jobs;
}
const failed = async () => (await jobs()).filter(({ status }) => status === 'failed');

interface Told {
  id: string;
  event: string;
  data: { job_id: number; repository_path: string };
}
/** What a receiver has that drops doubles, in the order in which it came. */
function toldBy(requests: readonly SinkRequest[]): Told[] {
  const byKey = new Map(requests.map(({ headers, body }) => [headers['idempotency-key'], body]));
  return [...byKey.values()].map((body) => JSON.parse(body));
}

interface Failure {
  path: string;
  job: number;
}
/** The jobs of each repository, in order. */
const byRepository = (failures: readonly Failure[]): Record<string, number[]> =>
  Object.fromEntries(
    failures.map(({ path }) => [path, failures.filter((each) => each.path === path).map(({ job }) => job)]),
  );

test('delivers 50 failures once each, in order, after downtime and kill -9', async () => {
  const source = server.workspace.folder('source');
  makeFiles(source, 10);
  const repositories = await repositoriesOn(source, 5);
  await sink.close();
  const first = new MemoryRepository(repositories[0]?.path ?? '');
  first.hold();
  for (let n = 0; n < 60; n++) await startBackup(api, repositories[n % 5]?.path ?? '');
  rmSync(source, { recursive: true });
  first.release();
  const some = async () => (await failed()).length >= 10;
  await waitFor(some, { what: 'the first failures', timeoutMs: 30_000, intervalMs: 20 });
  await server.restart('SIGKILL');
  expect((await jobs()).some(({ status }) => !isTerminal({ status }))).toBe(true);
  await sink.reopen();

  const allEnded = async () => (await jobs()).every(isTerminal);
  await waitFor(allEnded, { what: 'the end of all jobs', timeoutMs: 60_000 });
  const wanted = await failed();
  expect(wanted.length).toBeGreaterThanOrEqual(50);
  await waitFor(() => toldBy(sink.requests).length >= wanted.length, {
    what: 'all messages',
    timeoutMs: 60_000,
  });
  const told = toldBy(sink.requests).map(({ data }) => ({ path: data.repository_path, job: data.job_id }));
  const ended = wanted
    .map(({ id, repository }) => ({ path: repository, job: id }))
    .toSorted((a, b) => a.job - b.job);
  expect(byRepository(told)).toEqual(byRepository(ended));
});

test('sends a message again under its id after kill -9 during delivery', async () => {
  const schedule = await brokenSchedule();
  const before = sink.requests.length;
  sink.answer = () => {};
  expect((await api.post(`/api/schedule/${schedule}/run-now`)).status).toBe(400);
  await sink.taken(before + 1);
  await server.stop('SIGKILL');
  sink.answer = (response) => void response.writeHead(200).end();
  await server.launch();
  const [first, second] = (await sink.taken(before + 2, 30_000)).slice(before);
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(second?.body).toBe(first?.body);
  expect(JSON.parse(first?.body ?? '')).toMatchObject({ event: 'schedule_failure', type: 'failure' });
});

/** Its only repository is switched to reading after the schedule was made. */
async function brokenSchedule(): Promise<number> {
  const [repository] = (await api.get('/api/repositories/')).body.repositories as Repository[];
  const input = { name: 'broken', cron_expression: '0 0 1 1 *', repository_id: repository?.id };
  const { body } = await api.post('/api/schedule/', input);
  expect((await api.put(`/api/repositories/${repository?.id}`, { mode: 'observe' })).status).toBe(200);
  return body.job.id as number;
}
