import { join } from 'node:path';
import { contract } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { type TrailEntry, walkAudit } from './audit-walk.js';
import { type ContractRoute, routesOf } from './contract-routes.js';
import { nowhere } from './walk-access.js';

const routes = routesOf(contract);
let server: TestServer;
let api: Api;
let document: { paths: Record<string, Record<string, { operationId: string }>> };

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  document = (await api.get('/api/openapi.json')).body;
  await api.post('/api/auth/users', { username: 'mira', password: userPassword });
  const path = join(server.workspace.folder('stores'), 'one');
  await createRepository(api, { name: 'one', path, encryption: 'none', source_directories: ['/etc/ssh'] });
  await startBackup(api, path);
  await api.post('/api/scripts', { name: 'nothing', content: 'true' });
  await api.post('/api/notifications', { name: 'nobody', service_url: 'json://127.0.0.1:9/' });
  const yearly = { name: 'yearly', cron_expression: '0 0 1 1 *', repository_id: 1 };
  await api.post('/api/schedule/', yearly);
});
afterAll(() => server?.remove());

const userPassword = 'a password of mira';

async function allEntries(): Promise<TrailEntry[]> {
  const entries: TrailEntry[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const { body } = await api.get('/api/audit', { limit: 1000, ...(before ? { before } : {}) });
    entries.push(...body.entries);
    before = body.next_before;
  }
  return entries;
}

const operationOf = ({ method, path }: ContractRoute): string => {
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  return operation?.operationId ?? `no operation at ${method} ${path}`;
};

function tokensOf(api: Api) {
  const make = async (): Promise<string> =>
    (await api.post('/api/auth/tokens', { name: 'walk' })).body.access_token;
  let last: Promise<string> | undefined;
  return (fresh: boolean) => {
    if (fresh) return make();
    last ??= make();
    return last;
  };
}

test('records every change and every download exactly once', async () => {
  const mira = await server.login('mira', userPassword);
  const visitors = [
    { name: 'admin', username: 'admin', admin: true, token: tokensOf(api) },
    { name: 'mira', username: 'mira', token: tokensOf(mira) },
    { name: 'nobody', username: null, token: async () => null },
  ];
  const findings = await walkAudit({
    base: server.api.baseUrl,
    routes,
    visitors,
    operationOf,
    entries: allEntries,
    valueFor: () => nowhere,
  });
  expect(findings).toEqual([]);
});

test('records each action with its object', async () => {
  const done = (await allEntries()).filter(({ status }) => status !== null && status < 300);
  const about = (action: string) => done.filter((entry) => entry.action === action);
  for (const [action, object] of Object.entries({
    repositoriesCreate: 'repository 1',
    backupsStart: 'job 1',
    schedulesCreate: 'schedule 1',
    scriptsCreate: 'script 1',
    notificationsCreate: 'notification 1',
    authCreateUser: 'user 2',
  })) {
    const objects = about(action).map((entry) => {
      const { object_kind, object_id } = entry as unknown as Record<string, string>;
      return `${object_kind} ${object_id}`;
    });
    expect([action, objects]).toEqual([action, [object]]);
  }
  expect(about('authLogin').every(({ username }) => username === 'admin' || username === 'mira')).toBe(true);
});

test('records logins of every result, and downloads by token and ticket', async () => {
  const logIn = (username: string) =>
    server.api.request('POST', '/api/auth/login', {
      form: { username, password: 'a wrong one' },
      headers: { 'x-request-id': `login-${username}` },
    });
  for (let tries = 0; tries < 7; tries++) await logIn('mira');
  await logIn('a password in the wrong field');
  const url = '/api/backup/logs/1/download';
  const ticket = await api.post('/api/download-tickets', { url: `${url}?from=ticket` });
  const link = await server.api.get(ticket.body.url, undefined, { headers: { 'x-request-id': 'by-ticket' } });
  const direct = await api.get(url, undefined, { headers: { 'x-request-id': 'by-token' } });
  const entries = (await allEntries()).reverse();
  const named = (id: string) => entries.filter(({ request_id }) => request_id === id);
  expect(named('login-mira').map(({ status, username }) => [status, username])).toEqual([
    ...Array.from({ length: 6 }, () => [401, 'mira']),
    [429, 'mira'],
  ]);
  expect(JSON.stringify(entries)).not.toContain('wrong field');
  expect(JSON.stringify(entries)).not.toContain(ticket.body.ticket);
  for (const [id, { status }] of Object.entries({ 'by-ticket': link, 'by-token': direct })) {
    expect(named(id)).toMatchObject([
      { kind: 'download', action: 'backupsDownloadLog', status, username: 'admin', object_id: '1' },
    ]);
  }
});
