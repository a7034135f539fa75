import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  archivesOf,
  backUp,
  createRepository,
  expectRefusal,
  passphrase,
  type Repository,
} from '../actions.js';
import type { Api } from '../api.js';
import { endedMaintenance } from '../maintenance.js';
import { MemoryRepository } from '../memory-repository.js';
import { samplesOf } from '../metrics.js';
import { TestServer } from '../server.js';
import { HttpSink, webhookUrl } from '../services/http-sink.js';
import type { Database } from '../store/database.js';
import { makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

const hour = 3_600_000;
let server: TestServer;
let api: Api;
let user: Api;
let home: Repository;
let database: Database;

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory' });
  api = await server.login();
  await api.post('/api/auth/users', { username: 'mallory', password: 'a password of a user' });
  user = await server.login('mallory', 'a password of a user');
  database = await server.database();
  const source = server.workspace.folder('source');
  makeRandomFiles(source, 2, 2);
  home = await createRepository(api, {
    name: 'home',
    path: join(server.workspace.path, 'home'),
    source_directories: [source],
  });
});
afterAll(() => server?.remove());

const protection = async () => {
  const { status, body } = await user.get('/api/system/protection');
  expect(status).toBe(200);
  return body.repositories[0];
};
/** Old lists are read anew for two seconds of a question at most: on a busy machine the next one has the answer. */
const becomes = (status: string) =>
  waitFor(
    async () => {
      const told = await protection();
      return told.status === status && told;
    },
    { what: `a protection that is ${status}` },
  );
const value = async (name: string, labels: Record<string, string> = {}) => {
  const { text } = await server.api.request('GET', '/metrics', { token: null });
  const wanted = Object.entries({ repository: 'home', ...labels });
  const found = samplesOf(text).find(
    (sample) =>
      sample.name === `bk_${name}` && wanted.every(([label, each]) => sample.labels[label] === each),
  );
  return found?.value;
};
const change = (settings: object) => api.put(`/api/repositories/${home.id}`, settings);

test('sets, shows and clears an age limit within its bounds', async () => {
  expect((await protection()).reasons[0]).toMatch(/in no enabled schedule/);
  for (const freshness_hours of [0, -1, 1.5, 87_601, '26', true]) {
    expectRefusal(await change({ freshness_hours }), 400, /freshness_hours/i);
  }
  expect((await change({ freshness_hours: 26 })).body.repository.freshness_hours).toBe(26);
  expect((await change({ compression: 'zstd' })).body.repository.freshness_hours).toBe(26);
  expect(await protection()).toMatchObject({
    status: 'unknown',
    promised_by: 'objective',
    promised_hours: 26,
  });
  expect((await change({ freshness_hours: null })).body.repository.freshness_hours).toBeNull();
  expectRefusal(await user.request('GET', '/api/system/protection', { token: null }), 401);
});

test('derives the age limit from schedules, and a backup meets it', async () => {
  const schedule = { name: 'nightly', cron_expression: '0 2 * * *', repository_ids: [home.id] };
  await api.post('/api/schedule/', schedule);
  expect((await protection()).reasons[0]).toMatch(/^There is no archive yet; the first is due by/);
  expect((await backUp(api, home.path)).status).toBe('completed');
  const told = await protection();
  expect(told).toMatchObject({
    status: 'protected',
    promised_by: 'schedule',
    promising_schedule: 'nightly',
    damaged: false,
    reasons: [expect.stringMatching(/^The newest archive is 0 h old; the limit is .* \(schedule nightly\)/)],
  });
  const [archive] = await archivesOf(api, home.path);
  expect(Date.parse(told.newest_archive)).toBe(Date.parse(archive?.start ?? ''));
  expect(await value('repository_protection', { state: 'protected' })).toBe(1);
});

test('counts archives, not jobs: missing or unfinished ones protect nothing', async () => {
  await change({ freshness_hours: 26 });
  const tool = new MemoryRepository(home.path, { passphrase });
  const source = server.workspace.folder('small');
  await tool.create('old', Date.now() - 48 * hour, { source });
  const [newest] = (await tool.list()).filter(({ name }) => name !== 'old');
  tool.rename(newest?.name ?? '', `${newest?.name}.checkpoint`);
  await database.all('UPDATE repository SET inventory_at = ?', Date.now() - 2 * hour);
  const late = await becomes('late');
  expect(late).toMatchObject({ status: 'late', promised_hours: 26 });
  expect(late.reasons).toEqual(['The newest archive is 48 h old; the limit is 26 h.']);
  expect(late.reason_codes).toEqual([
    { code: 'protection_age_and_objective', params: { age: '48 h', promised: '26 h' } },
  ]);
  expect(await value('repository_protection', { state: 'late' })).toBe(1);
  tool.rename(`${newest?.name}.checkpoint`, newest?.name ?? '');
  await database.all('UPDATE repository SET inventory_at = ?', Date.now() - 2 * hour);
  await becomes('protected');
});

test('reports damage by check, notification, metrics and protection', async () => {
  const sink = await HttpSink.open();
  onTestFinished(() => sink.close());
  await api.post('/api/notifications', { name: 'on call', service_url: webhookUrl(sink) });
  const check = async (body = {}) =>
    endedMaintenance(api, 'check', await api.post(`/api/repositories/${home.id}/check`, body));
  const heal = new MemoryRepository(home.path).damage();
  const job = await check();
  expect(job).toMatchObject({ status: 'failed', problems_found: true });
  const [message] = await sink.taken(1);
  expect(JSON.parse(message?.body ?? '')).toMatchObject({
    event: 'check_failure',
    type: 'failure',
    title: '❌ Repository check failed',
    data: { job_id: job.id, repository_name: 'home', error_message: job.error_message },
  });
  const told = await protection();
  expect(told).toMatchObject({ status: 'unknown', damaged: true });
  expect(told.reasons[0]).toContain(`Check job ${job.id} found damage at ${job.completed_at}`);
  expect(await value('repository_last_check_success')).toBe(0);
  expect(await value('check_jobs_total', { status: 'failed' })).toBe(1);
  expect(await value('repository_damaged')).toBe(1);
  expect(await value('repository_protection', { state: 'unknown' })).toBe(1);
  expect(await value('repository_protection', { state: 'protected' })).toBe(0);

  heal();
  expect((await check()).status).toBe('completed');
  expect(await value('repository_last_check_success')).toBe(1);
  expect(await protection()).toMatchObject({ status: 'protected', damaged: false });
  expect(await value('repository_damaged')).toBe(0);
});
