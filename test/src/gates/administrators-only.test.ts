import { contract } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillPath, routesOf } from './contract-routes.js';
import { exchange } from './exchange.js';
import { fewAtOnce } from './few-at-once.js';
import { makeWorld, userPassword, type World } from './world.js';

const looks = routesOf(contract).filter(({ method }) => method === 'GET');
let world: World;

beforeAll(async () => {
  world = await makeWorld({ driver: 'memory', env: { EXPENSIVE_CALLS_PER_MINUTE: '1000000' } });
});
afterAll(() => world?.server.remove());

const existing = (parameter: string): string => (parameter.startsWith('archive_') ? world.archive : '1');

test('returns the texts of scripts and hooks to administrators only', async () => {
  const { api, server } = world;
  const secret = 'word-in-a-script';
  const script = { content: `: ${secret} \${A:-${secret}}`, description: 'about it' };
  expect((await api.put('/api/scripts/1', script)).status).toBe(200);
  const hooks = { pre_backup_script: `: ${secret}`, post_backup_script: `: ${secret}` };
  expect((await api.put('/api/repositories/1', hooks)).status).toBe(200);
  const tellingTo = async (token: string | null) => {
    const telling = await fewAtOnce(looks, async ({ name, path, method }) => {
      const target = `${fillPath(path, existing)}?repository_id=1`;
      const headers = { authorization: `Bearer ${token}` };
      const answer = await exchange(server.api.baseUrl, { method, target, headers });
      return answer.body.includes(secret) ? [name] : [];
    });
    return telling.flat().sort();
  };
  expect(await tellingTo(api.token)).toEqual([
    'GET /api/export/borgmatic',
    'GET /api/repositories/',
    'GET /api/repositories/:repo_id',
    'GET /api/repositories/:repo_id/scripts',
    'GET /api/repositories/:repo_id/scripts/:attachment_id',
    'GET /api/scripts',
    'GET /api/scripts/:script_id',
    'GET /api/settings/export',
  ]);
  const user = await server.login('mira', userPassword);
  expect(await tellingTo(user.token)).toEqual([]);
  const shown = (await user.get('/api/repositories/1')).body.repository;
  expect(shown).toMatchObject({ pre_backup_script: '***', post_backup_script: '***' });
  expect((await user.get('/api/scripts/1')).body).toMatchObject({ name: 'nothing', content: '***' });
  // What was masked and is sent back changes nothing.
  await api.put('/api/repositories/1', { pre_backup_script: shown.pre_backup_script });
  await api.put('/api/scripts/1', { content: '***' });
  expect((await api.get('/api/repositories/1')).body.repository).toMatchObject(hooks);
  expect((await api.get('/api/scripts/1')).body).toMatchObject(script);
});

test('refuses to change or remove a connection when a user asks', async () => {
  const user = await world.server.login('mira', userPassword);
  const connection = '/api/ssh-keys/connections/1';
  const before = (await user.get(connection)).body;
  for (const change of [
    { host: '127.0.0.2' },
    { default_path: '/x' },
    { use_sftp_mode: false },
    { trusted: true },
    { sudo: true },
  ])
    expect((await user.put(connection, change)).status).toBe(403);
  expect((await user.delete(connection)).status).toBe(403);
  expect((await user.get(connection)).body).toEqual(before);
});
