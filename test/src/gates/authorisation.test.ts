import { contract } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillPath, parametersOf, routesOf } from './contract-routes.js';
import { exchange } from './exchange.js';
import { fewAtOnce } from './few-at-once.js';
import { usualVisitors } from './visitors.js';
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
  const ground = { base: world.server.api.baseUrl, routes, visitors: await usualVisitors(world), existing };
  expect(await walkAccess(ground)).toEqual([]);
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
