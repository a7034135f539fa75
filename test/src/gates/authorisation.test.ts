import { contract, neededRight } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../browser.js';
import { adminPassword, TestServer } from '../server.js';
import { setUpTotp } from '../totp.js';
import { fillPath, parametersOf, routesOf } from './contract-routes.js';
import { exchange } from './exchange.js';
import { fewAtOnce } from './few-at-once.js';
import type { Visitor } from './judge-access.js';
import { allVisitors, bearer, kept } from './visitors.js';
import { nowhere, walkAccess } from './walk-access.js';
import { makeWorld, type World } from './world.js';

const routes = routesOf(contract);
let world: World;

beforeAll(async () => {
  world = await makeWorld({ driver: 'memory', env: { EXPENSIVE_CALLS_PER_MINUTE: '1000000' } });
});
afterAll(() => world?.server.remove());

const existing = (parameter: string): string => (parameter.startsWith('archive_') ? world.archive : '1');

test('admits exactly the callers in its contract, and reveals nothing to others', async () => {
  const ground = { base: world.server.api.baseUrl, routes, visitors: await allVisitors(world), existing };
  expect(await walkAccess(ground)).toEqual([]);
});

test('grants limited users all routes of their own account', () => {
  const own = routes.filter(
    ({ path, metadata }) => path.startsWith('/api/auth/') && metadata?.access.who === 'any',
  );
  expect(own.filter((route) => neededRight(route) === undefined).map(({ name }) => name)).toEqual([]);
});

/** Else the walk would compare a missing object with a missing one. */
test('uses parameters of existing objects in the walk', async () => {
  const parameters = new Map<string, boolean>();
  const looks = routes.filter(
    (route) =>
      route.method === 'GET' && route.metadata?.access.who !== 'public' && parametersOf(route).length > 0,
  );
  await fewAtOnce(looks, async (route) => {
    const statusOf = async (valueFor: (parameter: string) => string) => {
      const target = `${fillPath(route.path, valueFor)}?repository_id=1`;
      const headers = { authorization: `Bearer ${world.api.token}` };
      return (await exchange(world.server.api.baseUrl, { method: 'GET', target, headers })).status;
    };
    const apart = (await statusOf(existing)) !== (await statusOf(() => nowhere));
    for (const name of parametersOf(route)) parameters.set(name, parameters.get(name) || apart);
  });
  expect([...parameters].filter(([, apart]) => !apart).map(([name]) => name)).toEqual([]);
});

test('keeps those out who still have to set up a second factor', async () => {
  const server = await TestServer.start({ driver: 'memory', env: { REQUIRE_SECOND_FACTOR: 'all' } });
  try {
    const pending: Pick<Visitor, 'standing' | 'mustChangePassword'> = {
      standing: 'admin',
      mustChangePassword: true,
    };
    const visitors: Visitor[] = [
      {
        ...pending,
        name: 'an administrator without a second factor',
        credentials: kept(async () => bearer((await server.login()).token)),
      },
      {
        ...pending,
        name: 'an administrator without a second factor, in a browser',
        unconfirmed: true,
        credentials: kept(async () => bearer((await Browser.signIn(server.api)).page.token)),
      },
    ];
    expect(await walkAccess({ base: server.api.baseUrl, routes, visitors, existing: () => '1' })).toEqual([]);
    const admin = await server.login();
    expect((await admin.get('/api/auth/me')).body.must_set_up_second_factor).toBe(true);
    await setUpTotp(admin, adminPassword);
    expect((await admin.get('/api/overview')).status).toBe(200);
  } finally {
    await server.remove();
  }
});
