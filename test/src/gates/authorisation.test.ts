import { contract } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillPath, parametersOf, routesOf } from './contract-routes.js';
import { exchange } from './exchange.js';
import { allVisitors } from './visitors.js';
import { nowhere, walkAccess } from './walk-access.js';
import { makeWorld, type World } from './world.js';

const routes = routesOf(contract);
let world: World;

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.server.remove());

const existing = (parameter: string): string => (parameter.startsWith('archive_') ? world.archive : '1');

test('every route lets in whom its contract names, and tells nobody else anything', async () => {
  const ground = { base: world.server.api.baseUrl, routes, visitors: await allVisitors(world), existing };
  expect(await walkAccess(ground)).toEqual([]);
});

/** Else the walk would compare a missing object with a missing one. */
test('there is something behind each parameter that the walk uses', async () => {
  const parameters = new Map<string, boolean>();
  for (const route of routes.filter(
    ({ method, metadata }) => method === 'GET' && metadata?.access.who !== 'public',
  )) {
    const statusOf = async (valueFor: (parameter: string) => string) => {
      const target = `${fillPath(route.path, valueFor)}?repository_id=1`;
      const headers = { authorization: `Bearer ${world.api.token}` };
      return (await exchange(world.server.api.baseUrl, { method: 'GET', target, headers })).status;
    };
    const apart = (await statusOf(existing)) !== (await statusOf(() => nowhere));
    for (const name of parametersOf(route)) parameters.set(name, parameters.get(name) || apart);
  }
  expect([...parameters].filter(([, apart]) => !apart).map(([name]) => name)).toEqual([]);
});
