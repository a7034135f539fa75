import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { Browser } from '../browser.js';
import { adminPassword, TestServer } from '../server.js';

let server: TestServer;
let second: TestServer;
let admin: Api;

/** Two instances over one database; a proxy stands before both. */
beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory', env: { TRUST_PROXY: '1' } });
  const { workspace, dataDirectory } = server;
  second = await TestServer.start({ driver: 'memory', workspace, dataDirectory, env: { TRUST_PROXY: '1' } });
  admin = await server.login();
});
afterAll(async () => {
  await second?.stop();
  await server?.remove();
});

const isIn = async (token: string) => (await server.api.as(token).get('/api/auth/me')).status === 200;

describe('the cookie', () => {
  const flags = (browser: Browser) =>
    (browser.opened.headers['set-cookie'] ?? '').split('; ').slice(1).sort();

  test('is limited to these routes and to HTTPS if it came over HTTPS', async () => {
    const plain = await Browser.signIn(server.api);
    const usual = ['HttpOnly', 'Path=/api/auth/session', 'SameSite=Strict'];
    const dated = flags(plain).filter((flag) => !flag.startsWith('Expires='));
    expect(dated).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/api/auth/session', 'SameSite=Strict']);
    const short = await Browser.signIn(server.api, { remember: false });
    expect(flags(short)).toEqual(usual);
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };
    expect(flags(await Browser.signIn(server.api, { remember: false, headers }))).toEqual([
      ...usual,
      'Secure',
    ]);
  });

  test('is not believed to be safe by a service that knows no proxy', async () => {
    const alone = await TestServer.start({ driver: 'memory' });
    const headers = { 'x-forwarded-proto': 'https' };
    expect(flags(await Browser.signIn(alone.api, { headers }))).not.toContain('Secure');
    await alone.remove();
  });

  test('signs in nowhere else', async () => {
    const browser = await Browser.signIn(server.api);
    for (const headers of [browser.headers(), { authorization: `Bearer ${browser.secret}` }])
      expectRefusal(await server.api.get('/api/auth/me', {}, { headers }), 401);
  });
});

test('returns the user and a token of 15 minutes on sign-in', async () => {
  const { opened, page } = await Browser.signIn(server.api);
  expect(opened.body).toMatchObject({
    token_type: 'bearer',
    expires_in: 900,
    username: 'admin',
    is_admin: true,
  });
  expect((await page.get('/api/auth/me')).body).toMatchObject({ id: opened.body.id, username: 'admin' });
  expectRefusal(await page.post('/api/auth/refresh'), 400, /session\/refresh/);
});

describe('a refresh', () => {
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'nas.example' };

  test.each([
    ['the origin of the service', {}],
    [
      'the word of the browser, behind a proxy that says nothing',
      { 'sec-fetch-site': 'same-origin', origin: null },
    ],
    ['its origin behind a proxy', { ...https, origin: 'https://nas.example' }],
    [
      'the same with a port',
      { ...https, 'x-forwarded-host': 'nas.example:8443', origin: 'https://nas.example:8443' },
    ],
  ])('is for a page with %s', async (_what, headers) => {
    const browser = await Browser.signIn(server.api);
    expect((await browser.refresh({ headers })).status).toBe(200);
  });

  test.each([
    ['without its own header', { 'x-holdfast-session': null }, /X-Holdfast-Session: 1/],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, /own pages/],
    ['of another port of the same host', { 'sec-fetch-site': 'same-site' }, /own pages/],
    ['of an older browser and another port', { origin: 'http://127.0.0.1:1' }, /own pages/],
    ['that does not say where it comes from', { origin: null }, /own pages/],
    ['of no origin', { origin: 'null' }, /own pages/],
    ['of the same host without HTTPS', { ...https, origin: 'http://nas.example' }, /own pages/],
  ])('%s is refused, and so is a sign-out', async (_what, headers, why) => {
    const browser = await Browser.signIn(server.api);
    const refused = await browser.refresh({ headers });
    expectRefusal(refused, 403, why);
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expectRefusal(await browser.signOut(headers), 403, why);
    expect((await browser.refresh()).status).toBe(200);
  });

  test('refreshes on any instance; concurrent refreshes replace the cookie once', async () => {
    const browser = await Browser.signIn(server.api);
    await agedBy(browser, 60_000);
    const before = browser.secret;
    const ask = (_: unknown, index: number) => browser.refresh({ api: (index % 2 ? second : server).api });
    const answers = await Promise.all(Array.from({ length: 16 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
    const cookies = new Set(answers.map(({ headers }) => headers['set-cookie']?.split(';')[0]));
    expect([...cookies]).toEqual([browser.cookie]);
    expect(browser.secret).not.toBe(before);
    for (const { body } of answers) expect(await isIn(body.access_token)).toBe(true);
  });

  test('answers 401 without a session', async () => {
    const browser = await Browser.signIn(server.api);
    for (const cookie of [null, 'holdfast_session=', `holdfast_session=hfs_${'A'.repeat(67)}`])
      expectRefusal(await browser.refresh({ headers: { cookie } }), 401, /sign in again/);
  });
});

test('ends the session and records it when a replaced cookie is used', async () => {
  const browser = await Browser.signIn(server.api);
  const old = browser.cookie;
  await agedBy(browser, 60_000);
  const next = await browser.refresh();
  expect(await isIn(next.body.access_token)).toBe(true);
  await agedBy(browser, 60_000);
  const headers = { cookie: old, 'x-request-id': 'the-copy' };
  const refused = await browser.refresh({ api: second.api, headers });
  expectRefusal(refused, 401, /used twice/);
  expect(refused.body.code).toBe('session_reused');
  expect(refused.headers['set-cookie']).toMatch(/^holdfast_session=;/);
  for (const token of [browser.opened.body.access_token, next.body.access_token])
    expect(await isIn(token)).toBe(false);
  expectRefusal(await browser.refresh(), 401);
  const { entries } = (await admin.get('/api/audit', { action: 'authSessionRefresh', user: 'admin' })).body;
  expect(entries).toContainEqual(
    expect.objectContaining({
      request_id: 'the-copy',
      status: 401,
      outcome: 'denied',
      note: expect.stringMatching(/used again/),
    }),
  );
});

test('ends the session and removes the cookie on sign-out', async () => {
  const browser = await Browser.signIn(server.api);
  const signedOut = await browser.signOut({ 'sec-fetch-site': 'same-origin' });
  expect([signedOut.status, signedOut.headers['set-cookie']]).toEqual([
    200,
    expect.stringMatching(/^holdfast_session=; Path=\/api\/auth\/session; Expires=Thu, 01 Jan 1970/),
  ]);
  expect(await isIn(browser.opened.body.access_token)).toBe(false);
  expectRefusal(await browser.refresh(), 401);
  expect((await browser.signOut()).status).toBe(200);
});

test('counts wrong passwords as a login does', async () => {
  const wrong = { username: 'somebody', password: 'wrong' };
  const headers = { 'x-forwarded-for': '192.0.2.77' };
  const attempt = async (path: string) => (await server.api.post(path, wrong, { headers })).status;
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push(await attempt(n % 2 ? '/api/auth/login' : '/api/auth/session'));
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401]);
  expect(await attempt('/api/auth/session')).toBe(429);
  const { entries } = (await admin.get('/api/audit', { action: 'authSessionOpen', kind: 'login' })).body;
  expect(entries.map(({ status }: { status: number }) => status)).toEqual(
    expect.arrayContaining([200, 401, 429]),
  );
});

test('keeps a session across a kill, and logs no secret', async () => {
  const browser = await Browser.signIn(server.api);
  const tokens = [browser.opened.body.access_token, browser.secret];
  await server.restart('SIGKILL');
  await agedBy(browser, 60_000);
  const answer = await browser.refresh();
  expect(answer.status).toBe(200);
  tokens.push(answer.body.access_token, browser.secret);
  await server.api.get(`/api/auth/me?x=${browser.secret}`);
  for (const { log } of [server, second]) {
    for (const secret of [...tokens.map((token: string) => token.slice(4)), adminPassword])
      expect(log).not.toContain(secret);
  }
});

/** As if the refresh token had been given so much earlier: no test waits for the grace. */
async function agedBy(browser: Browser, ms: number): Promise<void> {
  const database = await server.database();
  const handle = createHash('sha256').update(browser.secret.slice(4, 28)).digest('hex');
  await database.all(
    'UPDATE browser_session SET rotated_at = rotated_at - ? WHERE handle_hash = ?',
    ms,
    handle,
  );
  await database.close();
}
