import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUpItself, passphraseOf, switchOn } from '../self-backup.js';
import { routesOf } from './contract-routes.js';
import { selfBackupObjects, walkHidden } from './walk-hidden.js';
import { addDrill, addIncident, makeWorld, userPassword, type World } from './world.js';

const routes = routesOf(contract);
let world: World;

beforeAll(async () => {
  world = await makeWorld({ driver: 'memory', env: { EXPENSIVE_CALLS_PER_MINUTE: '1000000' } });
});
afterAll(() => world?.server.remove());

test('hides the backup of Holdfast itself from users on every route', async () => {
  const { api, server } = world;
  const own = await switchOn(api, { path: join(world.stores, 'the-own-one') });
  expect((await backUpItself(api)).status).toBe('completed');
  await api.post(`/api/repositories/${own.repository_id}/check`, {});
  const about = { repository_id: own.repository_id };
  const over = { is_open: false, open_thread: null, object_name: 'Holdfast itself' };
  await addIncident(server, { ...about, ...over, object_kind: 'repository', object_id: own.repository_id });
  await addDrill(server, { ...about, job_id: 1_000_001, repository_name: 'Holdfast itself' });
  const copy = join(world.stores, 'a-copy-of-it');
  cpSync(own.path, copy, { recursive: true });
  const again = { name: 'copy', path: copy, passphrase: await passphraseOf(server), mode: 'observe' };
  const imported = await api.post('/api/repositories/import', again);
  expect([imported.status, imported.body.warnings]).toEqual([
    201,
    [expect.stringContaining('only administrators')],
  ]);
  const ofCopy = { ...own, repository_id: imported.body.repository.id as number, path: copy };
  const { marks, values } = await selfBackupObjects(api, own);
  const secret = readFileSync(join(server.dataDirectory, 'secret_key'));
  const hidden = { values, marks: new Map([...marks, ['the secret key', secret.subarray(0, 32)]]) };
  for (const [name, of] of Object.entries(values)) expect([name, of.length]).not.toEqual([name, 0]);
  const user = await server.login('mira', userPassword);
  const { access_token: readOnly } = (await user.post('/api/auth/tokens', { name: 'r', read_only: true }))
    .body;
  for (const token of [user.token ?? '', readOnly as string]) {
    expect(await walkHidden({ base: server.api.baseUrl, routes, token, hidden })).toEqual([]);
  }
  const { repo_id = [], repository_id = [], repository = [] } = (await selfBackupObjects(api, ofCopy)).values;
  const copied = { ...hidden, values: { ...values, repo_id, repository_id, repository } };
  const token = user.token ?? '';
  expect(await walkHidden({ base: server.api.baseUrl, routes, token, hidden: copied })).toEqual([]);
  const seen = (await user.get('/api/overview')).body;
  expect([seen.counts.total, seen.repositories.length]).toEqual([1, 1]);
  expect((await api.get('/api/overview')).body.counts.total).toBe(3);
});
