import { randomUUID } from 'node:crypto';
import type { SignInRules } from '@holdfast/core/server';
import { type SignedIn, type SignInProvider, SignInRefused } from '@holdfast/plugin-api';
import { parseSetCookie } from 'cookie';
import { afterEach, describe, expect, it } from 'vitest';
import { startAuthService } from './auth-service.js';

const password = 'first password';
const ada: SignedIn = {
  subject: 'a1',
  userName: 'ada',
  displayName: null,
  email: 'ada@nas',
  groups: ['staff'],
};

type Service = Awaited<ReturnType<typeof startAuthService>>;
let service: Service;
afterEach(() => service?.stop());

/** A sign-in plugin whose answers the test sets, and which records the questions. */
class Provider implements SignInProvider {
  readonly label = 'Example';
  readonly issuer = 'https://id.example.org';
  person: SignedIn | Error = ada;
  readonly begun: boolean[] = [];
  finished = 0;

  async begin({ callback, fresh }: { callback: string; fresh: boolean }) {
    this.begun.push(fresh);
    const state = randomUUID();
    return { redirect: `https://id.example.org/?to=${callback}&state=${state}`, kept: state };
  }

  async finish({ url, kept }: { url: string; kept: string }) {
    this.finished += 1;
    if (new URL(url).searchParams.get('state') !== kept) throw new SignInRefused('It is another sign-in.');
    if (this.person instanceof Error) throw this.person;
    return this.person;
  }

  async end(logout: string, backTo: string) {
    return `https://id.example.org/logout?hint=${logout}&to=${backTo}`;
  }
}

async function start(signIn: Partial<SignInRules> = {}) {
  const provider = new Provider();
  service = await startAuthService({ signIns: [{ id: 'example', provider }], signIn });
  await service.auth.ensureInitialAdmin(password);
  return provider;
}

/** One browser: it keeps the cookies of the sign-in and of its session. */
class Browser {
  readonly jar = new Map<string, string>();
  token = '';

  async go(path: string, { method = 'GET', bearer = false } = {}) {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers: Record<string, string> = {
      cookie,
      'x-holdfast-session': '1',
      'sec-fetch-site': 'same-origin',
    };
    if (bearer) headers.authorization = `Bearer ${this.token}`;
    const answer = await fetch(service.base + path, { method, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const { name, value, maxAge, expires } = parseSetCookie(line);
      if (maxAge === 0 || (expires && expires.getTime() < Date.now())) this.jar.delete(name);
      else this.jar.set(name, value ?? '');
    }
    const text = await answer.text();
    const to = answer.headers.get('location') ?? '';
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
    const body: any = text === '' ? null : JSON.parse(text);
    return { status: answer.status, to, body, cookies: answer.headers.getSetCookie() };
  }

  async begin(returnTo = '/schedules') {
    const path = `/api/auth/sign-in/example/start?return_to=${encodeURIComponent(returnTo)}`;
    return stateOf((await this.go(path)).to);
  }

  callback = (state: string) => this.go(`/api/auth/sign-in/example/callback?state=${state}&code=c`);

  async signIn(returnTo?: string) {
    return this.callback(await this.begin(returnTo));
  }

  /** With the session that it has. */
  async refresh() {
    const { body } = await this.go('/api/auth/session/refresh', { method: 'POST' });
    this.token = body.access_token ?? '';
    return body;
  }

  async withPassword(username: string, secret = password) {
    const answer = await service.call('POST', '/api/auth/session', { json: { username, password: secret } });
    const { name, value = '' } = parseSetCookie(answer.headers.getSetCookie()[0] ?? '');
    this.jar.set(name, value);
    this.token = answer.body.access_token;
    return this;
  }

  async visit(kind: 'link' | 'confirm') {
    const path = `/api/auth/sign-in/example/${kind}?return_to=/settings`;
    const { body, status } = await this.go(path, { method: 'POST', bearer: true });
    return status === 200 ? this.callback(stateOf(body.redirect)) : { status, to: '', body };
  }
}

const stateOf = (address: string) => new URL(address).searchParams.get('state') ?? '';
const errorIn = ({ to }: { to: string }) => new URL(to, 'http://page').searchParams.get('sign_in_error');
const admin = async () => new Browser().withPassword('admin');
const usersNow = async () =>
  (await service.call('GET', '/api/auth/users', { token: await service.logIn('admin', password) })).body;

describe('a sign-in with a provider', () => {
  it('creates a user with the session of the browser', async () => {
    await start({ unknownUsers: 'create' });
    const browser = new Browser();
    const { status, to, cookies } = await browser.signIn('/schedules?a=b#c');
    expect([status, to]).toEqual([302, '/schedules?a=b#c']);
    expect(cookies.join()).toMatch(
      /holdfast_session=\S+; Path=\/api\/auth\/session; HttpOnly; SameSite=Strict/,
    );
    const user = { username: 'ada', email: 'ada@nas', role: 'limited', grants: [], has_password: false };
    expect(await browser.refresh()).toMatchObject(user);
    const again = new Browser();
    await again.signIn();
    expect((await again.refresh()).id).toBe((await browser.refresh()).id);
  });

  it('sets a cookie that comes back from another site, and to nowhere else', async () => {
    await start();
    const { cookies } = await new Browser().go('/api/auth/sign-in/example/start');
    expect(cookies.join()).toMatch(
      /^holdfast_sign_in=\S+; Max-Age=600; Path=\/api\/auth\/sign-in;.* HttpOnly; SameSite=Lax$/,
    );
  });

  it('refuses another browser, and a second time, before the plugin is asked', async () => {
    const provider = await start({ unknownUsers: 'create' });
    const browser = new Browser();
    const state = await browser.begin();
    const cookie = browser.jar.get('holdfast_sign_in') ?? '';
    expect(errorIn(await new Browser().callback(state))).toBe('sign_in_step_over');
    expect(provider.finished).toBe(0);
    expect(errorIn(await browser.callback(state))).toBeNull();
    browser.jar.set('holdfast_sign_in', cookie);
    expect(errorIn(await browser.callback(state))).toBe('sign_in_step_over');
    expect(provider.finished).toBe(1);
  });

  it('is over after a wrong answer', async () => {
    await start({ unknownUsers: 'create' });
    const browser = new Browser();
    const state = await browser.begin();
    const cookie = browser.jar.get('holdfast_sign_in') ?? '';
    expect(errorIn(await browser.callback('another'))).toBe('sign_in_refused');
    browser.jar.set('holdfast_sign_in', cookie);
    expect(errorIn(await browser.callback(state))).toBe('sign_in_step_over');
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    '/\t/evil.example',
    '/..//evil.example',
    'javascript:alert(1)',
    '\\\\evil.example',
    '/a\nb',
  ])('opens the first page instead of %j', async (returnTo) => {
    await start({ unknownUsers: 'create' });
    expect((await new Browser().signIn(returnTo)).to).toBe('/');
  });

  it.each<[string, SignedIn | Error, string]>([
    ['whom nobody knows', ada, 'sign_in_user_unknown'],
    ['with the name of an account', { ...ada, userName: 'admin' }, 'sign_in_name_taken'],
    ['with a name like that of an account', { ...ada, userName: 'аdmіn' }, 'sign_in_name_taken'],
    ['with a name that cannot be one', { ...ada, userName: 'a\u0000b' }, 'sign_in_name_invalid'],
    ['whom the plugin refuses', new SignInRefused('No.'), 'sign_in_refused'],
    ['whom the provider cannot tell', new Error('It is down.'), 'sign_in_failed'],
    ['without a subject', { ...ada, subject: '' }, 'sign_in_failed'],
  ])('refuses a user %s', async (_who, person, code) => {
    const provider = await start();
    provider.person = person;
    const browser = new Browser();
    expect(errorIn(await browser.signIn())).toBe(code);
    expect(browser.jar.has('holdfast_session')).toBe(false);
    expect(await usersNow()).toHaveLength(1);
  });

  it('takes over no account by its e-mail address', async () => {
    const provider = await start({ unknownUsers: 'create' });
    const token = await service.logIn('admin', password);
    const mira = { username: 'mira', password: 'long enough', email: 'mira@nas' };
    await service.call('POST', '/api/auth/users', { token, json: mira });
    provider.person = { ...ada, email: 'MIRA@nas' };
    expect(errorIn(await new Browser().signIn())).toBe('sign_in_name_taken');
  });

  it('refuses a deactivated user, and ended the sessions', async () => {
    await start({ unknownUsers: 'create' });
    const browser = new Browser();
    await browser.signIn();
    const { id } = await browser.refresh();
    const token = await service.logIn('admin', password);
    await service.call('PUT', `/api/auth/users/${id}`, { token, json: { is_active: false } });
    expect((await browser.refresh()).code).toBe('session_ended');
    expect(errorIn(await new Browser().signIn())).toBe('account_deactivated');
  });

  it('accepts no password from a user without one', async () => {
    await start({ unknownUsers: 'create' });
    await new Browser().signIn();
    for (const given of [' ', 'x', password]) {
      const answer = await service.call('POST', '/api/auth/login', {
        form: { username: 'ada', password: given },
      });
      expect(answer.body.code).toBe('credentials_wrong');
    }
  });

  it('names the address that ends the session of the provider', async () => {
    const provider = await start({ unknownUsers: 'create' });
    provider.person = { ...ada, logout: 'hint-1' };
    const browser = new Browser();
    await browser.signIn();
    const { body } = await browser.go('/api/auth/session', { method: 'DELETE' });
    expect(body.provider_logout).toBe(
      'https://id.example.org/logout?hint=hint-1&to=https://backup.example.org/',
    );
    const local = await admin();
    expect((await local.go('/api/auth/session', { method: 'DELETE' })).body.provider_logout).toBeNull();
  });

  it('slows down many visits from one address', async () => {
    await start();
    const browser = new Browser();
    const codes: (string | null)[] = [];
    for (let visit = 0; visit < 61; visit += 1)
      codes.push(errorIn(await browser.go('/api/auth/sign-in/example/start')));
    expect(codes.slice(0, 60).every((code) => code === null)).toBe(true);
    expect(codes[60]).toBe('login_attempts_too_many');
  });

  it('knows no other provider', async () => {
    await start();
    expect(errorIn(await new Browser().go('/api/auth/sign-in/other/start'))).toBe('sign_in_unknown');
    expect((await new Browser().go('/api/auth/sign-in')).body).toEqual([{ id: 'example', label: 'Example' }]);
  });
});

describe('a linked account', () => {
  it('signs in the user who linked it', async () => {
    const provider = await start();
    const browser = await admin();
    await service.auth.confirmPassword(await callerOf(browser), password);
    expect((await browser.visit('link')).to).toBe('/settings');
    const { body } = await browser.go('/api/auth/identities', { bearer: true });
    expect(body).toMatchObject([{ provider: 'example', name: 'ada' }]);
    const other = new Browser();
    provider.person = { ...ada, userName: 'someone.else' };
    await other.signIn();
    expect(await other.refresh()).toMatchObject({ username: 'admin', role: 'admin' });
  });

  it('needs the password first', async () => {
    await start();
    expect((await (await admin()).visit('link')).body.code).toBe('confirmation_required');
  });

  it('belongs to one user', async () => {
    await start({ unknownUsers: 'create' });
    await new Browser().signIn();
    const browser = await admin();
    await service.auth.confirmPassword(await callerOf(browser), password);
    expect(errorIn(await browser.visit('link'))).toBe('identity_taken');
  });

  it('is not linked after the session has ended', async () => {
    await start();
    const browser = await admin();
    await service.auth.confirmPassword(await callerOf(browser), password);
    const path = '/api/auth/sign-in/example/link';
    const { body } = await browser.go(path, { method: 'POST', bearer: true });
    await browser.go('/api/auth/session', { method: 'DELETE' });
    expect(errorIn(await browser.callback(stateOf(body.redirect)))).toBe('access_token_revoked');
  });

  it('can be unlinked, unless it is the last way in', async () => {
    await start();
    const browser = await admin();
    await service.auth.confirmPassword(await callerOf(browser), password);
    await browser.visit('link');
    const other = new Browser();
    await other.signIn();
    const [{ id }] = (await browser.go('/api/auth/identities', { bearer: true })).body;
    const path = `/api/auth/identities/${id}`;
    expect((await browser.go(path, { method: 'DELETE', bearer: true })).status).toBe(200);
    expect((await other.refresh()).code).toBe('session_ended');
    expect(errorIn(await new Browser().signIn())).toBe('sign_in_user_unknown');
  });

  it('stays the last way in', async () => {
    const provider = await start({ unknownUsers: 'create' });
    const browser = new Browser();
    await browser.signIn();
    await browser.refresh();
    const [{ id }] = (await browser.go('/api/auth/identities', { bearer: true })).body;
    const unlink = () => browser.go(`/api/auth/identities/${id}`, { method: 'DELETE', bearer: true });
    expect((await unlink()).body.code).toBe('confirmation_required');
    expect((await browser.visit('confirm')).to).toBe('/settings');
    expect(provider.begun).toEqual([false, true]);
    expect((await unlink()).body.code).toBe('last_way_in');
  });

  it('confirms nothing for somebody else', async () => {
    const provider = await start({ unknownUsers: 'create' });
    const browser = new Browser();
    await browser.signIn();
    await browser.refresh();
    provider.person = { ...ada, subject: 'b2' };
    expect(errorIn(await browser.visit('confirm'))).toBe('sign_in_refused');
  });
});

describe('groups', () => {
  const rules: Partial<SignInRules> = {
    unknownUsers: 'create',
    groups: [
      { group: 'admins', role: 'admin' },
      { group: 'staff', role: 'limited', grants: [{ tag: 'office', right: 'restore' }] },
    ],
  };

  it('give a role and grants, the first one that matches', async () => {
    const provider = await start(rules);
    const signIn = async (groups: string[]) => {
      provider.person = { ...ada, groups };
      const browser = new Browser();
      await browser.signIn();
      const { role, grants } = await browser.refresh();
      return [role, grants];
    };
    expect(await signIn(['staff'])).toEqual(['limited', [{ tag: 'office', right: 'restore' }]]);
    expect(await signIn(['staff', 'admins'])).toEqual(['admin', []]);
    expect(await signIn(['others'])).toEqual(['limited', []]);
  });

  it('take nothing from a linked user who is in none of them', async () => {
    const provider = await start(rules);
    provider.person = { ...ada, groups: [] };
    const browser = await admin();
    await service.auth.confirmPassword(await callerOf(browser), password);
    await browser.visit('link');
    const other = new Browser();
    await other.signIn();
    expect((await other.refresh()).role).toBe('admin');
  });

  it('never take the rights of the last administrator with a password', async () => {
    const provider = await start(rules);
    const browser = await admin();
    await service.auth.confirmPassword(await callerOf(browser), password);
    await browser.visit('link');
    provider.person = { ...ada, subject: 'b2', userName: 'bea', email: null, groups: ['admins'] };
    await new Browser().signIn();
    provider.person = ada;
    const other = new Browser();
    await other.signIn();
    expect((await other.refresh()).role).toBe('admin');
    const token = await service.logIn('admin', password);
    const path = `/api/auth/users/${(await other.refresh()).id}`;
    const refused = await service.call('PUT', path, { token, json: { role: 'user' } });
    expect(refused.body.code).toBe('last_administrator');
  });

  it('leave rights to administrators when there are none', async () => {
    await start({ unknownUsers: 'create' });
    const browser = new Browser();
    await browser.signIn();
    const { id } = await browser.refresh();
    const token = await service.logIn('admin', password);
    await service.call('PUT', `/api/auth/users/${id}`, { token, json: { role: 'user' } });
    const again = new Browser();
    await again.signIn();
    expect((await again.refresh()).role).toBe('user');
  });
});

async function callerOf(browser: Browser) {
  const caller = await service.auth.authenticate(browser.token);
  if (!caller) throw new Error('the browser has no session');
  return caller;
}
