import { contract, neededRight } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routesOf } from './contract-routes.js';
import { furtherVisitors } from './visitors.js';
import { walkAccess } from './walk-access.js';
import { makeWorld, type World } from './world.js';

const routes = routesOf(contract);
let world: World;

beforeAll(async () => {
  world = await makeWorld({ driver: 'memory', env: { EXPENSIVE_CALLS_PER_MINUTE: '1000000' } });
});
afterAll(() => world?.server.remove());

test('admits limited users and browsers as the contract says, and reveals nothing to others', async () => {
  const existing = (parameter: string) => (parameter.startsWith('archive_') ? world.archive : '1');
  const ground = { base: world.server.api.baseUrl, routes, visitors: await furtherVisitors(world), existing };
  expect(await walkAccess(ground)).toEqual([]);
});

test('grants limited users all routes of their own account', () => {
  const own = routes.filter(
    ({ path, metadata }) => path.startsWith('/api/auth/') && metadata?.access.who === 'any',
  );
  expect(own.filter((route) => neededRight(route) === undefined).map(({ name }) => name)).toEqual([]);
});
