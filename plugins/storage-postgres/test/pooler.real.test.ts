import { afterAll, expect, it } from 'vitest';
import { PgBouncer } from '../../../scripts/services/pgbouncer.mjs';
import { dropDatabases, newDatabase, openDatabase, serverUrl } from './databases.js';
import { users } from './entities.js';

/** Prepared by `npm test` because of this variable: HOLDFAST_PGBOUNCER. */
const bouncers: PgBouncer[] = [];
afterAll(async () => {
  for (const bouncer of bouncers) await bouncer.remove();
  await dropDatabases();
});

async function through(mode: 'session' | 'transaction' | 'statement') {
  const bouncer = await PgBouncer.start(new URL(serverUrl()), mode);
  bouncers.push(bouncer);
  const url = new URL(serverUrl());
  url.port = String(bouncer.port);
  url.pathname = `/${await newDatabase()}`;
  return openDatabase(url.href);
}

it.each(['transaction', 'statement'] as const)('refuses a pooler with pool_mode=%s', async (mode) => {
  const refusal = await through(mode).then(
    ({ close }) => close().then(() => ''),
    (error: Error) => error.message,
  );
  expect(refusal).toMatch(
    /through a pooler that .* set pool_mode=session, or connect to the server directly\.$/,
  );
});

it('works through a pooler with pool_mode=session', async () => {
  const { storage, close } = await through('session');
  await storage.insert(users, { username: 'anna', password_hash: 'x', created_at: 1 });
  expect(await storage.find(users)).toHaveLength(1);
  await close();
});
