import { join } from 'node:path';
import { contract } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routesOf } from './contract-routes.js';
import { fuzzOptions } from './fuzz/fuzz-options.js';
import { fuzzRoutes } from './fuzz/fuzz-routes.js';
import { poolsOf } from './fuzz/pools.js';
import type { Standing } from './fuzz/request-of.js';
import { databaseState } from './fuzz/service-state.js';
import { makeWorld, runEveryJob, userPassword, type World } from './world.js';

const { seed, rounds, budgetMs, route } = fuzzOptions;
const say = (line: string) => process.stdout.write(`${line}\n`);
let world: World;

/** As in production: an answer is not checked by the service, and as `nobody` it can write next to nothing. */
beforeAll(async () => {
  world = await makeWorld({
    unprivileged: true,
    env: { HOLDFAST_VALIDATE_RESPONSES: '0', EXPENSIVE_CALLS_PER_MINUTE: '1000000' },
  });
  await runEveryJob(world);
});
afterAll(() => world?.server.remove());

const tokenOf = async (username: string, password: string, read_only = false): Promise<string> => {
  const api = await world.server.login(username, password);
  return (await api.post('/api/auth/tokens', { name: 'fuzz', read_only })).body.access_token;
};

test('answers every allowed and every odd request as documented', {
  timeout: budgetMs + 200_000,
}, async () => {
  say(`fuzz: seed ${seed}, at most ${rounds} rounds; the same again: npm run fuzz -- --seed ${seed}`);
  const user = await tokenOf('mira', userPassword);
  const reader = await tokenOf('mira', userPassword, true);
  const tokens: Record<Standing, string | null> = { admin: world.api.token, user, reader, nobody: null };
  const state = await databaseState(join(world.server.dataDirectory, 'holdfast.db'));
  await state.quiet();
  const ground = {
    base: world.server.api.baseUrl,
    routes: routesOf(contract).filter(({ name }) => name.includes(route)),
    pools: poolsOf(world),
    state,
    headersOf: (as: Standing): Record<string, string> =>
      tokens[as] === null ? {} : { authorization: `Bearer ${tokens[as]}` },
  };
  const { findings, statuses } = await fuzzRoutes(ground, fuzzOptions);
  await state.close();
  const counts = [...statuses.values()].flatMap((ofRoute) => [...ofRoute.values()]);
  say(`fuzz: ${counts.reduce((sum, count) => sum + count, 0)} answers of ${statuses.size} routes`);
  for (const [name, ofRoute] of fuzzOptions.figures ? statuses : [])
    say(`${name} ${JSON.stringify([...ofRoute])}`);
  expect(findings.join('\n')).toBe('');
});
