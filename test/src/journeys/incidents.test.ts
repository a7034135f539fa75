/** What is noticed while one service runs, and how it is told: to receivers, in the API, to monitors. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { EventReader } from '../event-reader.js';
import { MemoryRepository } from '../memory-repository.js';
import { samplesOf } from '../metrics.js';
import { TestServer } from '../server.js';
import { HttpSink, replyWith, webhookUrl } from '../services/http-sink.js';
import { waitFor } from '../wait-for.js';

const dayMs = 86_400_000;
const token = '5a1e0b7c9d3f4e21';
let server: TestServer;
let api: Api;
let sink: HttpSink;
let monitor: HttpSink;
let home: Repository;
let events: EventReader;
let incident: number;

beforeAll(async () => {
  [sink, monitor] = await Promise.all([HttpSink.open(), HttpSink.open()]);
  server = await TestServer.start({
    driver: 'memory',
    env: { HEARTBEAT_URL: `http://${monitor.host}/ping/${token}` },
  });
  api = await server.login();
  const address = `${api.baseUrl}/api/events?kinds=incident_opened`;
  events = await EventReader.open(address, { authorization: `Bearer ${api.token}` });
  const source = server.workspace.folder('source');
  writeFileSync(join(source, 'file'), 'content');
  await api.post('/api/notifications', { name: 'on call', service_url: webhookUrl(sink) });
  const path = join(server.workspace.path, 'home');
  const tool = new MemoryRepository(path);
  await tool.init();
  await tool.create('old', Date.now() - 3 * dayMs, { source });
  const settings = { name: 'home', path, source_directories: [source], freshness_hours: 24 };
  const imported = await api.post('/api/repositories/import', settings);
  expect(`${imported.status} ${imported.text}`).toMatch(/^201 /);
  home = imported.body.repository as Repository;
});
afterAll(async () => {
  events?.abort();
  await server?.remove();
  await Promise.all([sink?.close(), monitor?.close()]);
});

interface Told {
  event: string;
  title: string;
  body: string;
  data: Record<string, unknown>;
}
const told = (event: string) =>
  sink.requests.map(({ body }) => JSON.parse(body) as Told).filter((message) => message.event === event);
const arrived = (event: string) =>
  waitFor(() => told(event)[0], { what: `a message ${event}`, timeoutMs: 90_000 });
const health = (who: string | null) => server.api.request('GET', '/health/protection', { token: who });

/** Makes background work due now. */
async function due(name: string): Promise<void> {
  const database = await server.database();
  const planned = () => database.all('SELECT id FROM duty WHERE name = ?', name);
  await waitFor(async () => (await planned()).length > 0, { what: `the plan of the ${name}` });
  await database.all('UPDATE duty SET due_at = 0 WHERE name = ?', name);
  await database.close();
}

test('reports a late repository by notification, list, stream and health', async () => {
  const message = await arrived('backup_late');
  expect(message).toMatchObject({
    title: '⏰ Backup late',
    body: expect.stringMatching(/^Repository: home\nLocation: .*\n\nError: home was last backed up on /),
    data: { cause: 'late', code: 'incident_late', repository_name: 'home' },
  });
  const { body } = await api.get('/api/incidents', { open: 'true', cause: 'late' });
  expect(body.incidents).toMatchObject([{ cause: 'late', open: true, repository_id: home.id }]);
  incident = body.incidents[0].id;
  // The first line says where the stream begins.
  const [, opened] = await events.take(2);
  expect(opened?.data.data).toMatchObject({ cause: 'late', incident_id: incident });
  const open = await health(null);
  expect([open.status, open.body]).toMatchObject([
    503,
    { status: 'not_protected', code: 'protection_incomplete', counts: { late: 1 } },
  ]);
  expect(open.text).not.toContain('home');
  expect((await health(api.token)).body.repositories).toMatchObject([{ name: 'home', status: 'late' }]);
  expect((await health('wrong')).text).not.toContain('home');
});

test('is snoozed and woken by an administrator with the version that was read', async () => {
  const read = await api.get(`/api/incidents/${incident}`);
  const etag = read.headers.etag ?? '';
  const until = new Date(Date.now() + dayMs).toISOString();
  const order = { until, reason: 'The NAS is in repair.' };
  const snoozed = await api.post(`/api/incidents/${incident}/snooze`, order);
  expect([snoozed.status, snoozed.body]).toMatchObject([
    200,
    { snoozed_until: until, snooze_reason: 'The NAS is in repair.', snoozed_by: 'admin' },
  ]);
  const late = await api.request('DELETE', `/api/incidents/${incident}/snooze`, {
    headers: { 'if-match': etag },
  });
  expect(late.status).toBe(412);
  const now = (await api.get(`/api/incidents/${incident}`)).headers.etag ?? '';
  const woken = await api.request('DELETE', `/api/incidents/${incident}/snooze`, {
    headers: { 'if-match': now },
  });
  expect([woken.status, woken.body.snoozed_until]).toEqual([200, null]);
  const bad = await api.post(`/api/incidents/${incident}/snooze`, {
    ...order,
    until: '2020-01-01T00:00:00Z',
  });
  expect([bad.status, bad.body.code]).toEqual([400, 'snooze_in_the_past']);
  expect((await api.post('/api/incidents/999/snooze', order)).body.code).toBe('incident_unknown');
});

test('is resolved by a backup', async () => {
  expect((await backUp(api, home.path)).status).toBe('completed');
  expect(await arrived('backup_on_time_again')).toMatchObject({ data: { incident_id: incident } });
  const thread = await api.get(`/api/incidents/${incident}`);
  expect(thread.body).toMatchObject({
    open: false,
    attempts: { count: 1 },
    recovery: { params: { newest_archive: expect.any(String) } },
  });
  const order = { until: new Date(Date.now() + dayMs).toISOString(), reason: 'why' };
  const over = await api.post(`/api/incidents/${incident}/snooze`, order);
  expect([over.status, over.body.code]).toEqual([409, 'incident_is_over']);
  const look = async () => (await health(null)).status === 200;
  await waitFor(look, { what: 'the answer 200', timeoutMs: 60_000 });
  expect(told('backup_late')).toHaveLength(1);
});

test('sends the weekly report at its time', async () => {
  await due('weekly report');
  const report = await arrived('report_weekly');
  expect(report).toMatchObject({ title: '📋 Weekly report' });
  expect(report.body).toMatch(/^Repositories: \d protected, \d late, \d unknown\nScheduled runs: 0 of 0 ran/);
});

test('pings the monitor, hides its address and shows its failure', async () => {
  const beats = () => monitor.requests.map(({ method, path, body }) => `${method} ${path} ${body}`);
  const [first] = await waitFor(() => beats().length > 0 && beats(), { what: 'a heartbeat' });
  expect(first).toMatch(new RegExp(`^(GET /ping/${token} $|POST /ping/${token}/fail Not everything)`));
  monitor.answer = replyWith(500);
  await due('heartbeat');
  const notices = async () => (await server.api.get('/health')).body.notices as string[];
  const notice = async () => (await notices()).find((text) => text.includes('HEARTBEAT_URL'));
  expect(await waitFor(notice, { what: 'the notice', timeoutMs: 30_000 })).toMatch(
    /responded with status 500/,
  );
  const metric = async () => {
    const { text } = await server.api.request('GET', '/metrics', { token: null });
    return samplesOf(text).find(({ name, value }) => name === 'bk_heartbeat_success' && value === 0);
  };
  await waitFor(metric, { what: 'the metric of the failed heartbeat', timeoutMs: 30_000 });
  expect(server.log).toContain('the heartbeat failed');
  expect(`${server.log} ${JSON.stringify(await notices())}`).not.toContain(token);
});

test('reports a deleted repository as not protected at once', async () => {
  rmSync(home.path, { recursive: true });
  await backUp(api, home.path);
  const look = async () => (await health(null)).status === 503;
  await waitFor(look, { what: 'the answer 503', timeoutMs: 60_000 });
});
