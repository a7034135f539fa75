import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAuthService } from './auth-service.js';

let service: Awaited<ReturnType<typeof startAuthService>>;
let admin: string;
let user: string;

beforeAll(async () => {
  service = await startAuthService();
  await service.auth.ensureInitialAdmin('first password');
  admin = await service.logIn('admin', 'first password');
  const mira = { username: 'mira', password: 'password of mira' };
  await service.call('POST', '/api/auth/users', { token: admin, json: mira });
  user = await service.logIn('mira', 'password of mira');
});
afterAll(() => service.stop());

describe('a request without a right to its route', () => {
  it('is answered 401 with a challenge before its body is looked at', async () => {
    for (const token of [undefined, 'nonsense', `hf_${'A'.repeat(43)}`]) {
      const answer = await service.call('POST', '/probe/admin', { token, json: { needed: 7 } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.body.detail).toMatch(/token/);
    }
  });

  it('is answered 401 before its body is read', async () => {
    for (const body of ['{', JSON.stringify('x'.repeat(2_000_000))]) {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer x' };
      const response = await fetch(`${service.base}/probe/admin`, { method: 'POST', headers, body });
      expect(response.status).toBe(401);
    }
  });

  it.each(['Basic YWRtaW46eA==', 'Bearer', 'Bearer a b', 'bearer'])(
    'is 401 for `%s`',
    async (authorization) => {
      const response = await fetch(`${service.base}/api/auth/me`, { headers: { authorization } });
      expect(response.status).toBe(401);
    },
  );

  it('is answered 403 before its body or its object is looked at', async () => {
    const write = await service.call('POST', '/probe/admin', { token: user, json: {} });
    expect(write).toMatchObject({ status: 403, body: { detail: 'Only an administrator may do this.' } });
    expect((await service.call('DELETE', '/api/auth/users/999', { token: user })).status).toBe(403);
    expect((await service.call('PUT', '/api/auth/users/abc', { token: user, json: {} })).status).toBe(403);
    expect((await service.call('POST', '/probe/admin', { token: admin, json: {} })).status).toBe(400);
  });

  it('takes no token from a body or query not meant for it', async () => {
    expect((await service.call('GET', `/api/auth/me?access_token=${admin}`)).status).toBe(401);
    expect((await service.call('GET', `/api/auth/me?token=${admin}`)).status).toBe(401);
    expect((await service.call('POST', '/probe/look', { json: { access_token: admin } })).status).toBe(401);
  });
});

describe('a link', () => {
  it('takes the token from the query, or from the header', async () => {
    expect((await service.call('GET', `/probe/link?token=${user}`)).body).toEqual({ username: 'mira' });
    expect((await service.call('GET', '/probe/link', { token: user })).status).toBe(200);
  });

  it('is 401 with a missing, empty, doubled or wrong token', async () => {
    for (const query of ['', '?token=', `?token=${user}&token=${user}`, '?token=x', '?token[a]=b']) {
      const answer = await service.call('GET', `/probe/link${query}`);
      expect([query, answer.status]).toEqual([query, 401]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});

describe('a read-only token', () => {
  it('may read and make calls that change nothing', async () => {
    const json = { name: 'reader', read_only: true };
    const made = await service.call('POST', '/api/auth/tokens', { token: admin, json });
    expect(made.status).toBe(201);
    const token = made.body.access_token;
    expect((await service.call('GET', '/api/auth/users', { token })).status).toBe(200);
    expect((await service.call('POST', '/probe/look', { token })).status).toBe(200);
    const writes = [
      service.call('POST', '/probe/admin', { token, json: { needed: 'x' } }),
      service.call('POST', '/api/auth/tokens', { token, json }),
      service.call('POST', '/api/auth/refresh', { token }),
      service.call('POST', '/api/auth/logout', { token }),
      service.call('POST', '/api/auth/change-password', { token, json: {} }),
      service.call('DELETE', `/api/auth/tokens/${made.body.token.id}`, { token }),
    ];
    for (const { status, body } of await Promise.all(writes)) {
      expect(status).toBe(403);
      expect(body.detail).toMatch(/is read-only/);
    }
  });
});

describe('a password that must be changed', () => {
  it("allows only calls for the user's account", async () => {
    const made = await service.call('POST', '/api/auth/users', {
      token: admin,
      json: { username: 'new', password: 'password of new', is_admin: true },
    });
    const path = `/api/settings/users/${made.body.id}/reset-password`;
    const reset = await service.call('POST', path, {
      token: admin,
      json: { new_password: 'given by admin' },
    });
    expect(reset).toMatchObject({ status: 200, body: { success: true } });
    const token = await service.logIn('new', 'given by admin');
    expect((await service.call('GET', '/api/auth/me', { token })).body.must_change_password).toBe(true);
    for (const route of ['/api/auth/users', '/api/auth/tokens', '/probe/link']) {
      const answer = await service.call('GET', route, { token });
      expect(answer).toMatchObject({
        status: 403,
        body: { detail: expect.stringMatching(/Change your password/) },
      });
    }
    const refreshed = await service.call('POST', '/api/auth/refresh', { token });
    expect(refreshed.body.must_change_password).toBe(true);
    const change = { current_password: 'given by admin', new_password: 'chosen by new' };
    const fresh = { token: refreshed.body.access_token };
    expect((await service.call('POST', '/api/auth/change-password', { ...fresh, json: change })).status).toBe(
      200,
    );
    expect((await service.call('GET', '/api/auth/users', fresh)).status).toBe(200);
  });
});
