import { expect } from 'vitest';
import type { Answer, Api } from '../api.js';
import { Browser } from '../browser.js';
import { codeOf, setUpTotp } from '../totp.js';
import { drivePasskeys } from './drive-passkeys.js';
import type { LeakWorld } from './leak-world.js';

/** Fails with what was answered instead. */
export function expectStatus(answer: Answer, ...statuses: number[]): Answer {
  if (!statuses.includes(answer.status)) expect(`${answer.status} ${answer.text}`).toBe(statuses.join(', '));
  return answer;
}

/** Users, sessions, tokens and passwords, right and wrong ones. Resolves to the session of a user. */
export async function driveAccounts(world: LeakWorld, api: Api): Promise<Api> {
  const { book, server } = world;
  const first = book.plant('the first password of a user');
  const second = book.plant('the second password of a user');
  const temporary = book.plant('a temporary password of a user');
  const made = expectStatus(await api.post('/api/auth/users', { username: 'anna', password: first }), 201);
  const anna = `/api/auth/users/${made.body.id}`;
  const session = await server.login('anna', first);
  const change = { current_password: first, new_password: second };
  const wrong = { ...change, current_password: book.plant('a wrong password') };
  expectStatus(await session.post('/api/auth/change-password', wrong), 400, 401, 403);
  expectStatus(await session.post('/api/auth/change-password', { old_password: first }), 400);
  expectStatus(await session.post('/api/auth/change-password', change), 200);
  expectStatus(await api.put(anna, { email: 'anna@home.test' }), 200);
  const reset = { new_password: temporary };
  expectStatus(await api.post(`/api/settings/users/${made.body.id}/reset-password`, reset), 200);
  await wrongLogins(world);
  const other = { username: 'bob', password: book.plant('the password of another user') };
  const bob = expectStatus(await api.post('/api/auth/users', other), 201);
  expectStatus(await api.post('/api/auth/users', other), 409);
  expectStatus(await api.delete(`/api/auth/users/${made.body.id}`), 200, 204);
  const user = await server.login('bob', other.password);
  await driveTokens(world, user);
  await driveBrowser(world, other);
  await driveTotp(world, user, other);
  expectStatus(await api.post(`/api/settings/users/${bob.body.id}/reset-factor`), 200);
  const again = await server.login('bob', other.password);
  expect(bob.text).toContain('bob');
  return again;
}

async function driveTotp({ server, book }: LeakWorld, user: Api, { username, password }: Account) {
  const { secret, recoveryCodes } = await setUpTotp(user, password);
  const wrong = book.plant('a wrong code of an app');
  for (const [first, second] of [
    ['/api/auth/login', '/api/auth/login/totp'],
    ['/api/auth/session', '/api/auth/session/totp'],
  ] as const) {
    const { challenge } = expectStatus(await server.api.post(first, { username, password }), 401).body
      .second_factor;
    expectStatus(await server.api.post(second, { challenge, code: wrong }), 401);
    // Where people put it by mistake.
    await server.api.as(challenge).get('/api/auth/me');
    expectStatus(await server.api.post(second, { challenge, code: recoveryCodes.pop() ?? '' }), 200);
  }
  const renewed = expectStatus(await user.post('/api/auth/totp/recovery-codes', { password }), 200);
  expectStatus(await user.post('/api/auth/totp/disable', { password, code: codeOf(secret) }), 200);
  expectStatus(await user.post('/api/auth/totp/recovery-codes', { password }), 400);
  await setUpTotp(user, password);
  await server.api.as(renewed.body.recovery_codes[0]).get('/api/auth/me');
}

type Account = { username: string; password: string };

async function wrongLogins({ server, book }: LeakWorld): Promise<void> {
  const password = book.plant('a password of nobody');
  const login = '/api/auth/login';
  expectStatus(await server.api.request('POST', login, { form: { username: 'anna', password } }), 401);
  expectStatus(await server.api.request('POST', login, { form: { username: 'none', password } }), 401);
  expectStatus(await server.api.post(login, { username: 1, password }), 400);
  expectStatus(await server.api.post(login, { username: 'x', password: [password] }), 400);
  const headers = { 'content-type': 'application/json' };
  const broken = `{"username": "anna", "password": "${password}"`;
  expectStatus(await server.api.request('POST', login, { body: broken, headers }), 400);
  // Where people put it by mistake.
  await server.api.get('/api/auth/me', { token: password, password });
  await server.api.as(password).get('/api/auth/me');
  const basic = Buffer.from(`anna:${password}`).toString('base64');
  await server.api.get('/api/auth/me', {}, { headers: { authorization: `Basic ${basic}` } });
}

async function driveTokens({ server, book, exchanges }: LeakWorld, user: Api): Promise<void> {
  const options = { headers: { 'idempotency-key': 'one-token' } };
  const ask = () => user.post('/api/auth/tokens', { name: 'for scripts', read_only: true }, options);
  const made = expectStatus(await ask(), 201);
  expectStatus(await ask(), 201);
  const reader = user.as(made.body.access_token);
  expectStatus(await reader.get('/api/auth/me'), 200);
  expectStatus(await server.api.get('/api/backup/jobs', { token: made.body.access_token }), 401);
  expectStatus(await user.delete(`/api/auth/tokens/${made.body.token.id}`), 200, 204);
  const session = await server.login('admin', book.named('the password of the administrator')?.parts[0]);
  const refreshed = expectStatus(await session.post('/api/auth/refresh'), 200);
  exchanges.administrator(refreshed.body.access_token);
  expectStatus(await session.post('/api/auth/logout'), 401);
  expectStatus(await session.as(refreshed.body.access_token).post('/api/auth/logout'), 200);
}

async function driveBrowser(
  { server, book }: LeakWorld,
  credentials: { username: string; password: string },
): Promise<void> {
  const browser = await Browser.signIn(server.api, credentials);
  const { username, password } = credentials;
  const wrong = book.plant('a wrong password in a browser');
  expectStatus(await server.api.post('/api/auth/session', { username, password: wrong }), 401);
  expectStatus(await browser.page.post('/api/auth/confirm', { password: wrong }), 400);
  expectStatus(await browser.page.post('/api/auth/confirm', { password }), 200);
  await drivePasskeys(browser, password);
  await driveProviders(browser.page, book);
  expectStatus(await browser.refresh(), 200);
  // Where it does not belong.
  await browser.page.get('/api/auth/me', { session: browser.secret });
  await server.api.as(browser.secret).get('/api/auth/me');
  expectStatus(await browser.refresh({ headers: { 'x-holdfast-session': null } }), 403);
  expectStatus(await browser.signOut(), 200);
  expectStatus(await browser.refresh(), 401);
}

/** What providers and strangers put into addresses. */
async function driveProviders(page: Api, book: LeakWorld['book']): Promise<void> {
  const code = book.plant('a code of a provider');
  const place = book.plant('where a stranger wants to lead');
  const path = '/api/auth/sign-in';
  expectStatus(await page.get(path), 200);
  await page.get(`${path}/oidc/start`, { return_to: `//${place}` });
  await page.get(`${path}/oidc/callback`, { code, state: code });
  expectStatus(await page.get('/api/auth/identities'), 200);
  await page.post(`${path}/oidc/link`);
  await page.post(`${path}/oidc/confirm`);
  await page.delete('/api/auth/identities/1');
}
