import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { EventReader } from '../../test/src/event-reader.js';
import { streamLimits } from '../src/http/events/event-streams.js';
import { logIn, type RunningService, runService } from './running-service.js';

const password = 'a password for this test';
let running: RunningService;
let token: string;
let first: number;
let second: number;
const open: EventReader[] = [];

beforeAll(async () => {
  running = await runService({ INITIAL_ADMIN_PASSWORD: password });
  token = await logIn(running, password);
  first = await makeRepository('first');
  second = await makeRepository('second');
});
afterEach(() => {
  for (const reader of open.splice(0)) reader.abort();
});
afterAll(() => running.end());

async function send(method: string, path: string, json?: unknown) {
  const answer = await running.call(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  return { status: answer.status, body: (await answer.json()) as any };
}
async function follow(query = '', headers: Record<string, string> = {}, bearer = token) {
  const reader = await EventReader.open(`${running.service.url}/api/events${query}`, {
    authorization: `Bearer ${bearer}`,
    ...headers,
  });
  open.push(reader);
  return reader;
}
async function makeRepository(name: string): Promise<number> {
  const path = join(running.dataDirectory, name);
  await mkdir(join(running.dataDirectory, 'source'), { recursive: true });
  const source_directories = [join(running.dataDirectory, 'source')];
  const json = { name, path, encryption: 'none', source_directories };
  return (await send('POST', '/api/repositories/', json)).body.repository.id;
}
const rename = (id: number, name: string) => send('PUT', `/api/repositories/${id}`, { name });

test('sends events as they happen, and again behind any id', async () => {
  const live = await follow();
  expect(live.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const ready = await live.next();
  expect(ready).toMatchObject({ kind: 'ready', data: { last_event_id: ready?.id } });
  for (const n of [1, 2, 3, 4]) await rename(first, `renamed ${n}`);
  const events = await live.take(4);
  const begin = ready?.id ?? 0;
  expect(events.map(({ id, kind }) => [id, kind])).toEqual(
    [1, 2, 3, 4].map((n) => [begin + n, 'repository_updated']),
  );
  expect(events[1]?.data).toEqual({
    id: begin + 2,
    kind: 'repository_updated',
    at: expect.any(String),
    repository_id: first,
    job_id: null,
    data: { name: 'renamed 2', fields: ['name'] },
  });
  const again = await follow(`?last_event_id=${begin + 1}`);
  expect(await again.take(4)).toEqual([
    { id: begin + 1, kind: 'ready', data: { last_event_id: begin + 1 } },
    ...events.slice(1),
  ]);
  const newer = await follow(`?last_event_id=${begin}`, { 'last-event-id': `${begin + 3}` });
  expect((await newer.take(2))[1]).toEqual(events[3]);
});

test('filters choose, and a token in the query will do', async () => {
  expect((await follow('?kinds=backup_success,nonsense')).response.status).toBe(400);
  const query = `token=${token}&kinds=repository_updated,backup_start&repository_id=${second}`;
  const reader = await EventReader.open(`${running.service.url}/api/events?${query}`);
  open.push(reader);
  await reader.next();
  await rename(first, 'a');
  await rename(second, 'b');
  await send('DELETE', `/api/repositories/${await makeRepository('third')}`);
  await rename(second, 'b again');
  const events = await reader.take(2);
  expect(events.map(({ data }) => [data.repository_id, data.data.name])).toEqual([
    [second, 'b'],
    [second, 'b again'],
  ]);
});

test('answers an unknown id with a reset', async () => {
  const reader = await follow('', { 'last-event-id': '999999' });
  const reset = await reader.next();
  expect(reset).toMatchObject({ kind: 'reset', data: { reason: expect.stringMatching(/Reload/) } });
  await rename(first, 'after the reset');
  expect(await reader.next()).toMatchObject({ id: (reset?.id ?? 0) + 1, data: { repository_id: first } });
  expect((await follow('', { 'last-event-id': 'x' })).response.status).toBe(400);
});

test('ends a stream soon after its token expires or its user is deactivated', async () => {
  const made = await send('POST', '/api/auth/tokens', { name: 'short' });
  const user = { username: 'watcher', password: 'a long password 1' };
  const watcher = await send('POST', '/api/auth/users', user);
  const signedIn = await running.call('/api/auth/login', { method: 'POST', body: new URLSearchParams(user) });
  const { access_token: other } = (await signedIn.json()) as { access_token: string };
  const ofToken = await follow('', {}, made.body.access_token);
  const ofUser = await follow('', {}, other);
  const ofMine = await follow();
  for (const reader of [ofToken, ofUser, ofMine]) expect((await reader.next())?.kind).toBe('ready');
  await send('DELETE', `/api/auth/tokens/${made.body.token.id}`);
  await send('PUT', `/api/auth/users/${watcher.body.id}`, { is_active: false });
  const since = Date.now();
  expect(await ofToken.next()).toBeNull();
  expect(await ofUser.next()).toBeNull();
  expect(Date.now() - since).toBeLessThan(streamLimits.checkEveryMs * 5);
  await rename(first, 'still heard');
  expect((await ofMine.next())?.kind).toBe('repository_updated');
});

test('limits the streams per user and frees one when it is closed', async () => {
  const readers = [];
  for (let n = 0; n < streamLimits.ofUser; n++) readers.push(await follow());
  const refused = await follow();
  expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '10']);
  readers[0]?.abort();
  await expect.poll(async () => (await follow()).response.status).toBe(200);
});

test('refuses a stream without a token and ends all with the service', async () => {
  expect((await running.call('/api/events')).status).toBe(401);
  const ending = await runService({ INITIAL_ADMIN_PASSWORD: password, SHUTDOWN_GRACE_SECONDS: '20' });
  const bearer = { authorization: `Bearer ${await logIn(ending, password)}` };
  const reader = await EventReader.open(`${ending.service.url}/api/events`, bearer);
  expect((await reader.next())?.kind).toBe('ready');
  const since = Date.now();
  await ending.end();
  expect(await reader.next()).toBeNull();
  expect(Date.now() - since).toBeLessThan(10_000);
});
