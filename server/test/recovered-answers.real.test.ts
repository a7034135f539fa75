import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idempotencyKeys, schemaVersions } from '@holdfast/core/server';
import sqlite from '@holdfast/storage-sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn, type RunningService, runService } from './running-service.js';

const password = 'a password for this test';
let running: RunningService;
let storage: Awaited<ReturnType<typeof sqlite.create>>;
let token: string;
let outside: string;

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

beforeAll(async () => {
  running = await runService({ INITIAL_ADMIN_PASSWORD: password, HOLDFAST_VALIDATE_RESPONSES: '1' });
  token = await logIn(running, password);
  outside = await mkdtemp(join(tmpdir(), 'holdfast-restored-'));
  const { dataDirectory } = running;
  await mkdir(join(dataDirectory, 'source'));
  await writeFile(join(dataDirectory, 'source', 'file'), 'x');
  const context = { log: quiet, clock: { now: Date.now }, dataFolder: dataDirectory, fetch };
  storage = await sqlite.create({ configuration: { file: join(dataDirectory, 'holdfast.db') }, ...context });
  await storage.start({ schema: schemaVersions, stillWorking() {} });
});
afterAll(async () => {
  await storage.stop?.();
  await running.end();
  await rm(outside, { recursive: true });
});

async function call(
  path: string,
  { method = 'POST', json, key }: { method?: string; json?: object; key?: string },
) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const answer = await running.call(path, { method, headers, ...body });
  const replayed = answer.headers.get('idempotency-replayed');
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  return { status: answer.status, replayed, body: (await answer.json()) as any };
}

/** As if the process had been killed between making something and answering. */
const forgetAnswers = () =>
  storage.update(idempotencyKeys, { status: 'answered' }, { status: 'made', answer: null, lease_until: 0 });

async function inBothWays(path: string, json?: object, method = 'POST') {
  const key = `${method}:${path}`;
  const first = await call(path, { method, json, key });
  await forgetAnswers();
  const again = await call(path, { method, json, key });
  const third = await call(path, { method, json, key });
  expect([path, again.status, again.replayed]).toEqual([path, first.status, 'true']);
  expect([third.status, third.body]).toEqual([again.status, again.body]);
  return [first.body, again.body];
}
const ended = async (path: string) =>
  expect
    .poll(async () => (await call(path, { method: 'GET' })).body.status, { timeout: 60_000 })
    .toBe('completed');

const message = expect.any(String);

test('answers a retry from the created resource when the first call was interrupted', async () => {
  const folder = running.dataDirectory;
  const source_directories = [join(folder, 'source')];
  const place = { name: 'r', path: join(folder, 'r'), encryption: 'none', source_directories };
  const object = async (path: string, json?: object) => {
    const [first, again] = await inBothWays(path, json);
    expect([path, again]).toEqual([path, 'message' in first ? { ...first, message } : first]);
    return first;
  };
  await object('/api/repositories/', place);
  const schedule = { name: 's', cron_expression: '0 0 1 1 *', repository_id: 1 };
  const { job } = await object('/api/schedule/', schedule);
  await object(`/api/schedule/${job.id}/duplicate`);
  await object('/api/notifications', { name: 'n', service_url: 'json://127.0.0.1:9/x' });
  const script = await object('/api/scripts', { name: 's', content: 'true\n' });
  await object('/api/repositories/1/scripts', { script_id: script.id, hook_type: 'pre-backup' });
  await object('/api/auth/users', { username: 'anna', password: 'a long password 1' });
  const quick = { name: 'k', key_type: 'ed25519', skip_deployment: true };
  const { ssh_key } = await object('/api/ssh-keys/quick-setup', quick);
  await call(`/api/ssh-keys/${ssh_key.id}`, { method: 'DELETE' });
  await object('/api/ssh-keys/generate', { name: 'k', key_type: 'ed25519' });
});

test('replaces a token whose response was lost', async () => {
  const send = () => call('/api/auth/tokens', { json: { name: 't' }, key: 'token' });
  const first = await send();
  await forgetAnswers();
  const again = await send();
  expect([again.status, again.body.access_token === first.body.access_token]).toEqual([201, false]);
  expect((await send()).body).toEqual(again.body);
  const { tokens } = (await call('/api/auth/tokens', { method: 'GET' })).body;
  expect(tokens.map(({ id }: { id: number }) => id)).toEqual([again.body.token.id]);
});

test('jobs', async () => {
  const job = async (path: string, json?: object, method?: string) => {
    const [first, again] = await inBothWays(path, json, method);
    expect([path, again]).toMatchObject([path, { success: true, job_id: first.job_id, status: 'pending' }]);
    return first;
  };
  const backup = await job('/api/backup/start', { repository_id: 1 });
  await ended(`/api/backup/status/${backup.job_id}`);
  const { job_ids } = await job('/api/schedule/1/run-now');
  await ended(`/api/backup/status/${job_ids[0]}`);
  const check = await job('/api/repositories/1/check', {});
  await ended(`/api/repositories/check-jobs/${check.job_id}`);
  const repair = await job('/api/repositories/1/repair', { confirm_name: 'r' });
  await ended(`/api/repositories/check-jobs/${repair.job_id}`);
  const compact = await job('/api/repositories/1/compact');
  await ended(`/api/repositories/compact-jobs/${compact.job_id}`);
  await job('/api/repositories/1/prune', { keep_daily: 7, dry_run: true });
  const { archives } = (await call('/api/archives/list?repository_id=1', { method: 'GET' })).body;
  const archive = archives[0].name;
  const restore = await job('/api/restore/start', { repository_id: 1, archive, destination: outside });
  await ended(`/api/restore/status/${restore.job_id}`);
  await job(`/api/archives/${archive}?repository_id=1`, undefined, 'DELETE');
  expect((await call('/api/backup/jobs', { method: 'GET' })).body.jobs).toHaveLength(2);
});

test('reports an unknown outcome of a connection test whose response was lost', async () => {
  const address = { host: '127.0.0.1', port: 1, username: 'nobody' };
  const path = '/api/ssh-keys/2/test-connection';
  const send = () => call(path, { json: address, key: 'try' });
  expect((await send()).status).toBe(200);
  await forgetAnswers();
  const [again, third] = [await send(), await send()];
  expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('connections/1/test')]);
  expect([third.body, third.replayed]).toEqual([again.body, 'true']);
});

test('does not create a deleted object again', async () => {
  const send = () => call('/api/scripts', { json: { name: 'gone', content: 'true\n' }, key: 'gone' });
  const { body } = await send();
  await running.call(`/api/scripts/${body.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  await forgetAnswers();
  expect(await send()).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/has been deleted since/) },
  });
});
