import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Page, SoftAuthenticator } from '../../test/src/soft-authenticator.js';
import { startAuthService } from './auth-service.js';

const password = 'first password';
let service: Awaited<ReturnType<typeof startAuthService>>;
let page: Page;

beforeAll(async () => {
  service = await startAuthService();
  await service.auth.ensureInitialAdmin(password);
  page = { origin: service.base };
});
afterAll(() => service.stop());

const post = (path: string, json: unknown, token?: string) =>
  service.call('POST', path, { json, ...(token && { token }) });

async function browser(username = 'admin') {
  const secret = username === 'admin' ? password : `password of ${username}`;
  const opened = await post('/api/auth/session', { username, password: secret });
  return opened.body.access_token as string;
}

async function begin(token: string, secret = password) {
  return (await post('/api/auth/passkeys/setup', { password: secret }, token)).body;
}

/** Adds a passkey for a new user, whose session it answers with. */
async function withPasskey(username: string) {
  const admin = await service.logIn('admin', password);
  await post('/api/auth/users', { username, password: `password of ${username}` }, admin);
  const authenticator = new SoftAuthenticator();
  const token = await browser(username);
  const { challenge, options } = await begin(token, `password of ${username}`);
  const response = authenticator.create(options, page);
  const added = await post('/api/auth/passkeys', { challenge, name: 'Phone', response }, token);
  expect(added.body).toMatchObject({ success: true, passkey: { name: 'Phone' } });
  expect(options.user.id).not.toContain(Buffer.from(username).toString('base64url'));
  return { authenticator, token };
}

const offer = async (given: object = {}) => (await post('/api/auth/session/passkey/options', given)).body;
const signIn = (challenge: string, response: unknown) =>
  post('/api/auth/session/passkey', { challenge, response });

describe('passkeys', () => {
  it('signs in without a password, sets the cookie, and refuses a replay', async () => {
    const { authenticator } = await withPasskey('ann');
    const { challenge, options } = await offer();
    expect(options).toMatchObject({ rpId: '127.0.0.1', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const response = authenticator.get(options, page);
    const signedIn = await signIn(challenge, response);
    expect(signedIn.body).toMatchObject({ username: 'ann', token_type: 'bearer' });
    expect(signedIn.headers.get('set-cookie')).toContain('holdfast_session=');
    expect((await signIn(challenge, response)).body.code).toBe('sign_in_step_over');
  });

  it('refuses answers of other origins, other addresses, and without the user', async () => {
    const { authenticator } = await withPasskey('ben');
    const answerOf = async (elsewhere: Partial<Page>) => {
      const { challenge, options } = await offer();
      return (await signIn(challenge, authenticator.get(options, { ...page, ...elsewhere }))).body.code;
    };
    expect(await answerOf({ origin: 'https://evil.example.org', host: '127.0.0.1' })).toBe('passkey_wrong');
    // Another service on the same host, with another port.
    expect(await answerOf({ origin: 'http://127.0.0.1:1' })).toBe('passkey_wrong');
    expect(await answerOf({ host: 'evil.example.org' })).toBe('passkey_wrong');
    expect(await answerOf({ userVerified: false })).toBe('passkey_wrong');
    expect(await answerOf({})).toBeUndefined();
  });

  it('refuses an answer signed by another key', async () => {
    const { authenticator } = await withPasskey('cleo');
    const { challenge, options } = await offer();
    const forged = { ...new SoftAuthenticator().get(options, page), id: '', rawId: '' };
    forged.id = forged.rawId = authenticator.id.toString('base64url');
    expect((await signIn(challenge, forged)).body.code).toBe('passkey_wrong');
    for (const response of [{}, { authenticatorData: 1 }, { ...forged.response, signature: '%' }]) {
      const { id } = forged;
      const answer = await signIn(challenge, { id, rawId: id, type: 'public-key', response });
      expect(answer.body.code).toBe('passkey_wrong');
    }
  });

  it('is the second factor of its user only', async () => {
    const dora = await withPasskey('dora');
    const emil = await withPasskey('emil');
    const first = await post('/api/auth/session', { username: 'dora', password: 'password of dora' });
    expect(first.body.code).toBe('second_factor_required');
    const { challenge } = first.body.second_factor;
    const { options } = await offer({ challenge });
    expect(options.allowCredentials).toMatchObject([{ id: dora.authenticator.id.toString('base64url') }]);
    const quiet = { ...page, userVerified: false };
    expect((await signIn(challenge, emil.authenticator.get(options, quiet))).body.code).toBe('passkey_wrong');
    const alone = await offer();
    const swapped = await signIn(alone.challenge, dora.authenticator.get(options, page));
    expect(swapped.body.code).toBe('passkey_wrong');
    expect((await signIn(challenge, dora.authenticator.get(options, quiet))).body.username).toBe('dora');
  });

  it('refuses a passkey that was made for another address', async () => {
    const token = await browser();
    const { challenge, options } = await begin(token);
    const elsewhere = new SoftAuthenticator().create(options, { origin: 'https://evil.example.org' });
    const wrong = await post('/api/auth/passkeys', { challenge, name: 'x', response: elsewhere }, token);
    expect(wrong.body).toMatchObject({ code: 'passkey_not_valid', params: { origin: page.origin } });
  });

  it('confirms instead of the password', async () => {
    const { authenticator, token } = await withPasskey('finn');
    const { challenge, options } = (await post('/api/auth/passkeys/confirm-options', {}, token)).body;
    const response = authenticator.get(options, page);
    expect((await post('/api/auth/confirm', { challenge }, token)).status).toBe(400);
    const both = { challenge, response, password };
    expect((await post('/api/auth/confirm', both, token)).status).toBe(400);
    expect((await post('/api/auth/confirm', { challenge, response }, token)).body.success).toBe(true);
    const id = authenticator.id.toString('base64url');
    expect((await service.call('DELETE', `/api/auth/passkeys/${id}`, { token })).status).toBe(200);
    expect((await service.call('GET', '/api/auth/passkeys', { token })).body.passkeys).toEqual([]);
  });
});
