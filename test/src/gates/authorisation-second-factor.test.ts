import { contract } from '@holdfast/contracts';
import { expect, test } from 'vitest';
import { Browser } from '../browser.js';
import { adminPassword, TestServer } from '../server.js';
import { setUpTotp } from '../totp.js';
import { routesOf } from './contract-routes.js';
import type { Visitor } from './judge-access.js';
import { bearer, kept } from './visitors.js';
import { walkAccess } from './walk-access.js';

const routes = routesOf(contract);

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
