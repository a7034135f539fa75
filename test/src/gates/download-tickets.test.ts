import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { makeWorld, userPassword, type World } from './world.js';

let world: World;
let second: TestServer;
let user: Api;

/** Two instances over one database. */
beforeAll(async () => {
  world = await makeWorld();
  const { workspace, dataDirectory } = world.server;
  second = await TestServer.start({ workspace, dataDirectory });
  user = await world.server.login('mira', userPassword);
});
afterAll(async () => {
  await second?.stop();
  await world?.server.remove();
});

const ticketFor = async (url: string, api: Api = user): Promise<{ ticket: string; url: string }> => {
  const answer = await api.post('/api/download-tickets', { url });
  expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
  return answer.body;
};
const log = '/api/backup/logs/1/download';

test('downloads a log once on any instance without a token', async () => {
  const { ticket, url } = await ticketFor(log);
  expect(url).toBe(`${log}?ticket=${ticket}`);
  const answer = await second.api.get(url);
  expect([answer.status, answer.headers['content-type']]).toEqual([
    200,
    expect.stringContaining('text/plain'),
  ]);
  for (const instance of [second, world.server]) expectRefusal(await instance.api.get(url), 401, /ticket/);
});

test('downloads exactly one file of an archive', async () => {
  const query = new URLSearchParams({ repository_id: '1', archive: world.archive, file_path: inArchive() });
  const { url, ticket } = await ticketFor(`/api/archives/download?${query}`);
  const others = [`${log}?ticket=${ticket}`, url.replace('file.txt', 'other.txt'), `${url}&archive=x`];
  for (const other of others) expectRefusal(await world.server.api.get(other), 401);
  expectRefusal(await world.server.api.get(`/api/auth/me?ticket=${ticket}`), 401);
  expectRefusal(await world.server.api.as(ticket).get('/api/auth/me'), 401);
  expect((await world.server.api.get(url)).text).toBe('text');
});

test('serves one of many concurrent requests on both instances', async () => {
  const { url } = await ticketFor(log);
  const ask = (_: unknown, index: number) => (index % 2 ? second : world.server).api.get(url);
  const statuses = (await Promise.all(Array.from({ length: 16 }, ask))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, ...Array<number>(15).fill(401)]);
});

test('ends with the access token that created it', async () => {
  const session = await world.server.login('mira', userPassword);
  const { url } = await ticketFor(log, session);
  await session.post('/api/auth/logout');
  expectRefusal(await world.server.api.get(url), 401);
});

test('exists only for linkable downloads, even for a read-only token', async () => {
  const made = await user.post('/api/auth/tokens', { name: 'reader', read_only: true });
  const reader = user.as(made.body.access_token);
  expect((await second.api.get((await ticketFor(log, reader)).url)).status).toBe(200);
  for (const url of [
    '/api/auth/users',
    '/api/repositories/1/keyfile',
    'http://example.org/',
    '//x',
    `${log}/x`,
  ]) {
    expectRefusal(await user.post('/api/download-tickets', { url }), 400);
  }
  expectRefusal(await world.server.api.post('/api/download-tickets', { url: log }), 401);
});

test('writes neither tokens nor tickets to the log', async () => {
  const { url, ticket } = await ticketFor(log);
  const token = user.token ?? '';
  const targets = [
    ...[url, `${log}?token=${token}`, `${log}?%74icket=${ticket}`, `${log}?x=${token}`],
    ...[`/api/backup/logs/${token}/download?file=${ticket}`, `/nothing/${ticket}`, `/api/auth/me?${token}`],
    `/api/archives/list?password=${encodeURIComponent('correct horse')}&passphrase=correct%20horse`,
  ];
  for (const target of targets) await world.server.api.get(target);
  expect(world.server.log.match(/"url":"[^"]*\*\*\*/g)?.length).toBeGreaterThanOrEqual(targets.length);
  for (const secret of [
    token.slice(3),
    ticket.slice(4),
    'correct horse',
    'correct+horse',
    'correct%20horse',
  ]) {
    expect(world.server.log).not.toContain(secret);
  }
});

const inArchive = () => `${world.source}/file.txt`.slice(1);
