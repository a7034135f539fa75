import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { HttpSink, replyWith, webhookUrl } from '../services/http-sink.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let user: Api;
let sink: HttpSink;
const path = '/api/notifications';
const secret = 'S3cretPassw0rd';

beforeAll(async () => {
  [server, sink] = await Promise.all([TestServer.start({ driver: 'memory' }), HttpSink.open()]);
  api = await server.login();
  const account = { username: 'reader', password: 'a password of a reader' };
  expect((await api.post('/api/auth/users', { ...account, is_admin: false })).status).toBe(201);
  user = await server.login(account.username, account.password);
});
afterAll(async () => {
  await server?.remove();
  await sink?.close();
});

const secretUrl = () => `json://ops:${secret}@${sink.host}/hook`;
const make = async (input: object = {}) => {
  const answer = await api.post(path, { name: 'ops', service_url: webhookUrl(sink), ...input });
  expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
  return answer.body;
};

test('creates, shows, changes and deletes a channel', async () => {
  const made = await make({ service_url: secretUrl(), title_prefix: '[A]' });
  expect(made).toMatchObject({ title_prefix: '[A]', last_used_at: null, notify_on_backup_failure: true });
  expect((await api.get(path)).body).toEqual([made]);
  expect((await api.get(`${path}/`)).body).toEqual([made]);
  const changed = await api.put(`${path}/${made.id}`, { name: 'dev', title_prefix: null, shape: 'round' });
  expect(changed.body).toEqual({
    ...made,
    name: 'dev',
    title_prefix: null,
    updated_at: changed.body.updated_at,
    warnings: ['shape is unknown and was ignored.'],
  });
  const deleted = await api.delete(`${path}/${made.id}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  for (const answer of [
    await api.get(`${path}/${made.id}`),
    await api.put(`${path}/${made.id}`, { name: 'x' }),
    await api.delete(`${path}/${made.id}`),
    await api.get(`${path}/${made.id}/deliveries`),
    await api.post(`${path}/${made.id}/deliveries/1/resend`),
  ]) {
    expectRefusal(answer, 404, /^There is no notification channel/);
  }
});

test('lets other users read channels without URLs and change nothing', async () => {
  const { id } = await make({ service_url: secretUrl() });
  const seen = [
    await user.get(path),
    await user.get(`${path}/${id}`),
    await user.get(`${path}/${id}/deliveries`),
  ];
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(seen[1]?.body.service_url).toBe('json://***');
  for (const { text } of seen) expect(text).not.toContain(secret);
  expectRefusal(await user.post(path, {}), 403);
  expectRefusal(await user.put(`${path}/${id}`, { name: 'x' }), 403);
  expectRefusal(await user.delete(`${path}/${id}`), 403);
  expectRefusal(await user.post(`${path}/test`, { service_url: secretUrl() }), 403);
  expectRefusal(await user.post(`${path}/${id}/deliveries/1/resend`), 403);
  expectRefusal(await api.as(null).get(path), 401);
  await api.delete(`${path}/${id}`);
});

test.each<[object, RegExp]>([
  [{ name: '' }, /name must not be empty/i],
  [{ name: 'x'.repeat(256) }, /name must have at most 255/i],
  [{ title_prefix: 'x'.repeat(101) }, /title_prefix must have at most 100/i],
  [{ service_url: undefined }, /service_url is required/i],
  [{ service_url: 'hooks.example.org/x' }, /no scheme/],
  [{ service_url: 'nonsense://host' }, /nonsense:\/\//],
  [{ service_url: 'json://ho st/x' }, /%20/],
  [{ service_url: 'json://' }, /\w/],
  [{ service_url: 'json://https://host' }, /two schemes/],
  [{ service_url: `json://host/${'x'.repeat(10_000)}` }, /4096/],
  [{ repository_ids: [4711], monitor_all_repositories: false }, /4711/],
  [{ repository_ids: ['a'] }, /repository_ids/i],
  [{ enabled: null }, /enabled/i],
  [{ failure_grouping_minutes: -1 }, /failure_grouping_minutes/i],
])('%j is refused', async (input, detail) => {
  const body = { name: 'bad', service_url: webhookUrl(sink), ...input };
  expectRefusal(await api.post(path, body), 400, detail);
  expect((await api.get(path)).body).toEqual([]);
});

test('sends a test message and returns the error of the receiver', async () => {
  const send = async (service_url: string) => (await api.post(`${path}/test`, { service_url })).body;
  expect(await send(secretUrl())).toMatchObject({ success: true });
  const request = sink.requests.at(-1);
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ type: 'info', event: 'test' });
  expect(request?.headers.authorization).toBe(`Basic ${btoa(`ops:${secret}`)}`);
  sink.answer = replyWith(500, `the password ${secret} is wrong`);
  const refused = await send(secretUrl());
  expect(refused).toMatchObject({ success: false, message: expect.stringMatching(/500.*is wrong/) });
  expect(JSON.stringify(refused)).not.toContain(secret);
  sink.answer = replyWith(200);
  expect(await send('no-scheme')).toMatchObject({ success: false, message: expect.stringMatching(/scheme/) });
  expectRefusal(await api.post(`${path}/test`, {}), 400, /service_url/i);
  expect((await api.get(path)).body).toEqual([]);
});

test('sends a backup notification by its flags, and again on request', async () => {
  const source = server.workspace.folder('source');
  makeFiles(source, 10);
  const place = join(server.workspace.path, 'repository');
  const repository = await createRepository(api, { name: 'home', path: place, source_directories: [source] });
  const both = { notify_on_backup_start: true, notify_on_backup_success: true };
  const { id } = await make({ ...both, monitor_all_repositories: false, repository_ids: [repository.id] });
  await make({ name: 'silent' });
  const before = sink.requests.length;
  const job = await backUp(api, repository.path);
  const told = (await sink.taken(before + 2)).slice(before);
  expect(told.map(({ body }) => JSON.parse(body))).toMatchObject([
    { title: '🚀 Backup started', event: 'backup_start', type: 'info' },
    {
      title: '✅ Backup successful',
      event: 'backup_success',
      type: 'success',
      data: { archive_name: job.archive_name, repository_name: 'home', job_id: job.id },
    },
  ]);
  const look = async () => {
    const { body } = await api.get(`${path}/${id}/deliveries`, { status: 'delivered' });
    return body.deliveries.length === 2 && body.deliveries;
  };
  const [last] = await waitFor(look, { what: 'two deliveries', timeoutMs: 60_000 });
  expect(last).toMatchObject({ event: 'backup_success', repository_name: 'home', attempts: 1 });
  expect((await api.get(`${path}/${id}`)).body.last_used_at).toBe(last.delivered_at);
  expect((await api.post(`${path}/${id}/deliveries/${last.id}/resend`)).body.delivery.status).toBe('pending');
  const again = (await sink.taken(before + 3)).at(-1);
  expect(again?.headers['idempotency-key']).toBe(last.message_id);
  expect(again?.body).toBe(told[1]?.body);
  expect((await api.get(`/api/repositories/${repository.id}`)).status).toBe(200);
  await api.delete(`/api/repositories/${repository.id}`);
  expect((await api.get(`${path}/${id}`)).body.repositories).toEqual([]);
});

test('logs no password', () => {
  expect(server.log).toContain('could not send a notification');
  expect(server.log).not.toContain(secret);
});
