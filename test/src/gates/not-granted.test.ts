import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, neededRight } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository } from '../actions.js';
import { fillPath, routesOf } from './contract-routes.js';
import { exchange } from './exchange.js';
import { fewAtOnce } from './few-at-once.js';
import { plantedLeaks, startLeaky } from './planted-leaks.js';
import { limitedOnes } from './visitors.js';
import { selfBackupObjects, walkHidden } from './walk-hidden.js';
import { addDrill, addIncident, makeWorld, type World } from './world.js';

const routes = routesOf(contract);
let world: World;

beforeAll(async () => {
  world = await makeWorld({ driver: 'memory', env: { EXPENSIVE_CALLS_PER_MINUTE: '1000000' } });
});
afterAll(() => world?.server.remove());

const existing = (parameter: string): string => (parameter.startsWith('archive_') ? world.archive : '1');

/** Each response to a caller who names no object, without times and free space. */
async function toldTo(
  { baseUrl }: { baseUrl: string },
  token: string,
  asked = routes,
): Promise<Record<string, string>> {
  const looks = asked.filter(
    (route) => route.method === 'GET' && neededRight(route) && route.path !== '/api/events',
  );
  const told = await fewAtOnce(looks, async ({ name, path, method }) => {
    const target = `${fillPath(path, existing)}?repository_id=1&days=7&query=e&path=/&timezone=UTC&include_files=true`;
    const answer = await exchange(baseUrl, { method, target, headers: { authorization: `Bearer ${token}` } });
    const text = `${answer.status} ${answer.body}`
      .replaceAll(/"[^"]*\d{4}-\d\d-\d\d[^"]*"/g, '"a time"')
      .replaceAll(/"(?!total")\w*(free|total|used|age|percent|seconds)\w*":[\d.]+/g, '"a measure":0')
      .replaceAll(/\b\d[\d.,]* h\b/g, 'an age')
      .replaceAll(/"sha256":"\w+"/g, '"a sum": 0');
    return [name, text] as const;
  });
  return Object.fromEntries(told);
}

test('hides repositories and file names that were not granted on every route', async () => {
  const { api, server, stores } = world;
  const limited = await Promise.all(
    (await limitedOnes(api, server.login.bind(server), 'other-')).map(async ({ name, credentials }) => {
      const { headers } = await credentials(true);
      return { name, token: `${headers?.authorization}`.replace('Bearer ', '') };
    }),
  );
  // Else the first answers say that the files of the archive are being read.
  await api.get(`/api/archives/${world.archive}/contents`, { repository_id: 1 });
  const before = new Map<string, Record<string, string>>();
  for (const { name, token } of limited) before.set(name, await toldTo(server.api, token));
  const toSeer = JSON.stringify(before.get('a limited user who may see'));
  for (const name of [world.source, 'file.txt']) expect(toSeer).not.toContain(name);
  // Of a host, and of a channel.
  for (const name of ['nobody@127.0.0.1', 'nobody listens'])
    expect(JSON.stringify([...before.values()])).not.toContain(name);
  const source = server.workspace.folder('private letters');
  writeFileSync(join(source, 'to-somebody.txt'), 'text');
  const path = join(stores, 'not-granted');
  const { id } = await createRepository(api, {
    name: 'nobody else may know',
    path,
    encryption: 'none',
    source_directories: [source, '/nowhere/gone'],
    tags: ['confidential-tag'],
  });
  const schedule = { name: 'confidential schedule', cron_expression: '0 0 1 1 *', repository_id: id };
  const { body: made } = await api.post('/api/schedule/', schedule);
  await backUp(api, path);
  await api.post(`/api/repositories/${id}/check`, {});
  const about = { repository_id: id, is_open: false, open_thread: null, object_name: 'nobody else may know' };
  await addIncident(server, { ...about, object_kind: 'repository', object_id: id });
  await addDrill(server, { repository_id: id, job_id: 1_000_002, repository_name: 'nobody else may know' });
  const schedule_id = made.job?.id ?? made.schedule?.id ?? made.id;
  const { marks, values } = await selfBackupObjects(api, { repository_id: id, schedule_id, path } as never);
  const hidden = {
    values,
    marks: new Map<string, string | Buffer>([
      ...marks,
      ['its schedule', schedule.name],
      ['its tag', 'confidential-tag'],
      ['its sources', 'private letters'],
    ]),
  };
  hidden.marks.delete('the folder of its copies');
  for (const [name, of] of Object.entries(values)) expect([name, of.length]).not.toEqual([name, 0]);
  for (const { name, token } of limited) {
    expect([name, await walkHidden({ base: server.api.baseUrl, routes, token, hidden })]).toEqual([name, []]);
    // Numbers tell, too.
    expect(await toldTo(server.api, token)).toEqual(before.get(name));
  }
  // The gate itself: each planted leak is found, for a user with any right.
  const [{ name: viewer, token } = { name: '', token: '' }] = limited.filter(({ name }) =>
    /restore$/.test(name),
  );
  const ids = ['repo_id', 'repository_id', 'repository', 'job_id', 'archive'].flatMap(
    (key) => values[key] ?? [],
  );
  for (const planted of plantedLeaks) {
    const walked = routes.filter(({ name }) => name === planted.route);
    const pattern = new RegExp(`^${planted.route.replace(/^\w+ /, '').replaceAll(/:\w+/g, '[^/]+')}$`);
    const matches = (method: string, path: string) => method === 'GET' && pattern.test(path);
    const about = { base: server.api.baseUrl, name: 'nobody else may know', ids, matches };
    const leaky = await startLeaky(about, planted);
    const found = await walkHidden({ base: leaky.base, routes: walked, token, hidden });
    const told = await toldTo({ baseUrl: leaky.base }, token, walked);
    await leaky.end();
    const differs = told[planted.route] !== before.get(viewer)?.[planted.route];
    expect([planted.where, walked.length, found.length > 0 || differs]).toEqual([planted.where, 1, true]);
  }
});
