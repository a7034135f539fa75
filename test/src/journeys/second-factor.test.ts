import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from '../api.js';
import { Browser } from '../browser.js';
import { holdfast } from '../command.js';
import { adminPassword, TestServer } from '../server.js';
import { codeOf, setUpTotp } from '../totp.js';

let server: TestServer;
let admin: Api;
beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory' });
  admin = await server.login();
});
afterAll(() => server?.remove());

/** A user with an authenticator app, who has nothing else. */
async function join(username: string) {
  const password = `password of ${username}`;
  const { id } = (await admin.post('/api/auth/users', { username, password })).body;
  const first = await server.login(username, password);
  const { secret, recoveryCodes } = await setUpTotp(first, password);
  const due = async (path = '/api/auth/login') => {
    const answer = await server.api.post(path, { username, password });
    expect([answer.status, answer.body.code]).toEqual([401, 'second_factor_required']);
    return answer.body.second_factor.challenge as string;
  };
  const answer = async (code: string) =>
    server.api.post('/api/auth/login/totp', { challenge: await due(), code });
  return { id, username, password, first, secret, recoveryCodes, due, answer };
}

const answered = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

test('opens sessions of programs and browsers with codes that work once', async () => {
  const { secret, recoveryCodes, due, answer, first } = await join('ann');
  const code = codeOf(secret);
  const session = await answer(code);
  expect((await server.api.as(session.body.access_token).get('/api/auth/me')).body).toMatchObject({
    username: 'ann',
    second_factor: { totp: true, passkeys: 0, recovery_codes: 10 },
  });
  expect(answered(await answer(code))).toEqual([401, 'code_wrong']);
  const { entries } = (await admin.get('/api/audit', { limit: '1' })).body;
  expect(entries[0]).toMatchObject({ action: 'authCompleteLogin', username: 'ann', status: 401 });
  const challenge = await due('/api/auth/session');
  const opened = await server.api.post('/api/auth/session/totp', { challenge, code: recoveryCodes[0] });
  expect(opened.headers['set-cookie']).toMatch(/^holdfast_session=hfs_/);
  expect(answered(await answer(recoveryCodes[0] ?? ''))).toEqual([401, 'code_wrong']);
  // Who was signed in stays so, and so do their scripts.
  expect((await first.get('/api/auth/me')).body.second_factor.recovery_codes).toBe(9);
});

test('makes those wait who guess codes, however often they give the password', async () => {
  const { answer, secret } = await join('target');
  const seen: unknown[] = [];
  for (let tries = 0; tries < 7; tries += 1) seen.push(answered(await answer('000000'))[0]);
  expect(seen.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(seen).toContain(429);
  const late = await answer(codeOf(secret));
  expect([late.status, Number(late.headers['retry-after']) > 0]).toEqual([429, true]);
});

test('ends the sign-in, not the session, when the password changes between the steps', async () => {
  const { due, first, password, secret } = await join('careful');
  const challenge = await due();
  const change = { current_password: password, new_password: 'another password' };
  expect((await first.post('/api/auth/change-password', change)).status).toBe(200);
  const late = await server.api.post('/api/auth/login/totp', { challenge, code: codeOf(secret) });
  expect(answered(late)).toEqual([401, 'sign_in_step_over']);
});

test('keeps the codes valid when the secret key is replaced', async () => {
  const { answer, secret } = await join('rotated');
  await server.stop();
  const env = { DATA_DIR: server.dataDirectory, HOME: server.dataDirectory, ...server.storeVariables };
  const rotated = await holdfast(['secrets', 'rotate'], { env });
  expect([rotated.code, rotated.err]).toEqual([0, '']);
  await server.launch();
  expect((await answer(codeOf(secret))).status).toBe(200);
  admin = await server.login();
});

test('lets users in with the password alone after a reset', async () => {
  const { id, username, password, first, due } = await join('lost');
  const token = (await first.post('/api/auth/tokens', { name: 'script' })).body.access_token as string;
  expect((await admin.post(`/api/settings/users/${id}/reset-factor`)).status).toBe(200);
  expect((await first.get('/api/auth/me')).status).toBe(401);
  expect((await server.api.as(token).get('/api/auth/me')).status).toBe(200);
  const again = await server.login(username, password);

  await setUpTotp(again, password);
  await due();
  const env = { DATA_DIR: server.dataDirectory, HOME: server.dataDirectory, ...server.storeVariables };
  const reset = await holdfast(['users', 'reset-factor', username], { env });
  expect([reset.code, reset.err]).toEqual([0, '']);
  await server.login(username, password);
  const { entries } = (await admin.get('/api/audit', { limit: '50' })).body;
  const actions = entries.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['authResetFactor', 'commandResetFactor']));
});

test('refuses everything else until a required second factor is set up', async () => {
  const strict = await TestServer.start({ driver: 'memory', env: { REQUIRE_SECOND_FACTOR: 'admin' } });
  try {
    const boss = await strict.login();
    expect(answered(await boss.get('/api/overview'))).toEqual([403, 'second_factor_setup_required']);
    const browser = await Browser.signIn(strict.api);
    expect(answered(await browser.page.get('/api/overview'))).toEqual([403, 'second_factor_setup_required']);
    await setUpTotp(boss, adminPassword);
    expect((await browser.page.get('/api/overview')).status).toBe(200);
    const account = { username: 'bob', password: 'password of bob' };
    await boss.post('/api/auth/users', account);
    const bob = await strict.login(account.username, account.password);
    expect((await bob.get('/api/overview')).status).toBe(200);
  } finally {
    await strict.remove();
  }
});
