import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAuthService } from './auth-service.js';

let service: Awaited<ReturnType<typeof startAuthService>>;
let token: string;

beforeAll(async () => {
  service = await startAuthService();
  const ensure = () => service.auth.ensureInitialAdmin('first password');
  await Promise.all([ensure(), ensure()]);
  token = await service.logIn('admin', 'first password');
});
afterAll(() => service.stop());

describe('login', () => {
  const right = { username: 'admin', password: 'first password' };

  it('takes a form, with the extras of OAuth 2, and JSON', async () => {
    const form = { ...right, grant_type: 'password', scope: '', client_id: 'x' };
    for (const init of [{ form }, { json: right }]) {
      const { status, body } = await service.call('POST', '/api/auth/login', init);
      expect(status).toBe(200);
      expect(body).toEqual({
        access_token: expect.stringMatching(/^hf_/),
        token_type: 'bearer',
        expires_in: 3600,
        must_change_password: false,
      });
    }
  });

  it('is 400 with a missing, empty or overlong field', async () => {
    const bad = [
      {},
      { username: 'admin' },
      { ...right, password: '' },
      { ...right, password: 'x'.repeat(1025) },
    ];
    for (const form of bad) {
      expect((await service.call('POST', '/api/auth/login', { form })).status).toBe(400);
    }
  });

  it('moves last_login', async () => {
    const { body } = await service.call('GET', '/api/auth/me', { token });
    expect(Math.abs(Date.parse(body.last_login) - Date.now())).toBeLessThan(60_000);
  });
});

describe('users', () => {
  const create = (json: object) => service.call('POST', '/api/auth/users', { token, json });

  it('are made, listed without an envelope, changed and deleted', async () => {
    const made = await create({ username: ' mira ', password: 'long enough', email: null });
    expect(made).toMatchObject({ status: 201, body: { username: 'mira', email: null, last_login: null } });
    const { body: list } = await service.call('GET', '/api/auth/users', { token });
    expect(list).toContainEqual(made.body);
    const path = `/api/auth/users/${made.body.id}`;
    const changed = await service.call('PUT', path, { token, json: { email: 'mira@nas', is_admin: true } });
    expect(changed).toMatchObject({ status: 200, body: { email: 'mira@nas', is_admin: true } });
    expect(await service.call('DELETE', path, { token })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await service.call('DELETE', path, { token })).status).toBe(404);
    expect((await service.call('PUT', path, { token, json: {} })).status).toBe(404);
  });

  it('are 409 when the name is taken, 400 when a field is wrong', async () => {
    expect((await create({ username: 'admin', password: 'long enough' })).status).toBe(409);
    const wrong = [
      { username: 'x', password: 'short' },
      { username: '', password: 'long enough' },
      { username: 'a\u0000b', password: 'long enough' },
      { username: 'x', password: 'long enough', email: 'none' },
      { username: 'x', password: 'long enough', is_admin: 'yes' },
      { username: 'x', password: 12345678 },
    ];
    for (const json of wrong) expect((await create(json)).status).toBe(400);
    for (const id of ['abc', '0', '-1', '9007199254740992', '1.5']) {
      expect((await service.call('PUT', `/api/auth/users/${id}`, { token, json: {} })).status).toBe(400);
    }
    const null_ = await service.call('PUT', '/api/auth/users/1', { token, json: { is_active: null } });
    expect(null_.status).toBe(400);
  });

  it('cannot lose their last administrator', async () => {
    const { body: me } = await service.call('GET', '/api/auth/me', { token });
    for (const json of [{ is_admin: false }, { is_active: false }]) {
      const answer = await service.call('PUT', `/api/auth/users/${me.id}`, { token, json });
      expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/last active/) } });
    }
    expect((await service.call('DELETE', `/api/auth/users/${me.id}`, { token })).status).toBe(400);
  });
});

describe('revocation', () => {
  it('takes effect with the next request', async () => {
    const mine = await service.logIn('admin', 'first password');
    expect((await service.call('POST', '/api/auth/logout', { token: mine })).body.success).toBe(true);
    expect((await service.call('GET', '/api/auth/me', { token: mine })).status).toBe(401);
  });

  it('shows an API token in plain text only in the answer to POST', async () => {
    const json = { name: 'script', expires_at: '2999-12-31T23:59:59Z' };
    const made = await service.call('POST', '/api/auth/tokens', { token, json });
    expect(made.status).toBe(201);
    const api = made.body.access_token;
    expect((await service.call('GET', '/api/auth/me', { token: api })).status).toBe(200);
    const list = await service.call('GET', '/api/auth/tokens', { token });
    expect(list.body.tokens[0]).toMatchObject({ id: made.body.token.id, name: 'script', read_only: false });
    expect(JSON.stringify(list.body)).not.toContain(api);
    const path = `/api/auth/tokens/${made.body.token.id}`;
    expect((await service.call('DELETE', path, { token })).status).toBe(200);
    expect((await service.call('GET', '/api/auth/me', { token: api })).status).toBe(401);
    expect((await service.call('DELETE', path, { token })).status).toBe(404);
    for (const expires_at of ['2001-01-01T00:00:00Z', 'tomorrow', 5]) {
      const late = await service.call('POST', '/api/auth/tokens', { token, json: { name: 'x', expires_at } });
      expect(late.status).toBe(400);
    }
  });
});

describe('wrong logins over HTTP', () => {
  it('are slowed down with 429 and Retry-After, for this account only', async () => {
    const attempt = (username: string, password: string) =>
      service.call('POST', '/api/auth/login', { form: { username, password } });
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await attempt('somebody', 'wrong')).status);
    expect(statuses.slice(0, 6)).toEqual([401, 401, 401, 401, 401, 401]);
    expect(statuses.slice(6)).toContain(429);
    const refused = await attempt('somebody', 'wrong');
    if (refused.status === 429) expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await attempt('admin', 'first password')).status).toBe(200);
  });
});

it('slows down guesses of the current password like failed logins', async () => {
  await service.call('POST', '/api/auth/users', {
    token,
    json: { username: 'guessed', password: 'right password' },
  });
  const own = await service.logIn('guessed', 'right password');
  const guess = (current_password: string) =>
    service.call('POST', '/api/auth/change-password', {
      token: own,
      json: { current_password, new_password: 'another password' },
    });
  const form = { username: 'guessed', password: 'wrong' };
  for (let n = 0; n < 3; n++) expect((await guess(`wrong ${n}`)).body.code).toBe('current_password_wrong');
  for (let n = 0; n < 3; n++)
    expect((await service.call('POST', '/api/auth/login', { form })).status).toBe(401);
  expect((await guess('right password')).status).toBe(429);
});
