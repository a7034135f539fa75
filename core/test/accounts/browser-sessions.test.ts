import { describe, expect, it } from 'vitest';
import { graceMs } from '../../src/foundation/accounts/browser-session.rules.js';
import { browserSessions, tokens } from '../../src/foundation/accounts/tables.js';
import { appError, makeService } from './service.js';

const minute = 60_000;
const day = 24 * 60 * minute;
const ended = appError('unauthenticated', /session has ended/);

/** A service with one browser that has signed in. */
async function makeBrowser({ remember = true } = {}) {
  const service = await makeService();
  const { auth, clock, storage } = service;
  const open = () => auth.openBrowserSession({ username: 'admin', password: 'first password', remember });
  const first = await open();
  const refresh = async (token: string) => {
    const answer = await auth.refreshBrowserSession(token);
    if ('reusedBy' in answer) throw new Error('reused');
    return answer;
  };
  const isIn = async (accessToken: string) => (await auth.authenticate(accessToken)) !== null;
  const sessions = () => storage.find(browserSessions);
  /** As the browser does: the answer is received, and its access token used. */
  const refreshAndUse = async (token: string) => {
    const answer = await refresh(token);
    expect(await isIn(answer.view.access_token)).toBe(true);
    return answer;
  };
  return { ...service, clock, open, first, refresh, refreshAndUse, isIn, sessions };
}

describe('a browser session', () => {
  it('issues access tokens of 15 minutes, returns the user, and stores only hashes', async () => {
    const { first, clock, isIn, storage } = await makeBrowser();
    expect(first.view).toMatchObject({
      token_type: 'bearer',
      expires_in: 900,
      username: 'admin',
      is_admin: true,
    });
    expect(first.view.last_login).toBe(new Date(clock.now()).toISOString());
    const stored = JSON.stringify([await storage.find(browserSessions), await storage.find(tokens)]);
    expect(stored).not.toContain(first.view.access_token.slice(3));
    expect(stored).not.toContain(first.refreshToken.slice(4, 28));
    expect(stored).not.toContain(first.refreshToken.slice(28));
    clock.advance(15 * minute - 1);
    expect(await isIn(first.view.access_token)).toBe(true);
    clock.advance(1);
    expect(await isIn(first.view.access_token)).toBe(false);
  });

  it('does not live longer than other logins', async () => {
    const { auth, settings } = await makeService();
    settings.accessTokenMinutes = 5;
    const credentials = { username: 'admin', password: 'first password', remember: false };
    expect((await auth.openBrowserSession(credentials)).view.expires_in).toBe(300);
  });

  it.each([
    [true, 30 * day],
    [false, day / 2],
  ])('lives from its last use on; remembered: %s', async (remember, life) => {
    const { clock, first, refreshAndUse, refresh } = await makeBrowser({ remember });
    expect(first.keepForMs).toBe(remember ? life : null);
    clock.advance(life - 1);
    const second = await refreshAndUse(first.refreshToken);
    clock.advance(life - 1);
    const third = await refreshAndUse(second.refreshToken);
    clock.advance(life);
    await expect(refresh(third.refreshToken)).rejects.toMatchObject(ended);
  });

  it('refuses anything but a refresh token', async () => {
    const { auth, first } = await makeBrowser();
    for (const text of [undefined, '', 'x', first.view.access_token, `hfs_${'A'.repeat(67)}`])
      await expect(auth.refreshBrowserSession(text)).rejects.toMatchObject(ended);
    expect(await auth.authenticate(first.refreshToken)).toBeNull();
  });
});

describe('a refresh', () => {
  it('replaces the refresh token, and leaves the access tokens of other tabs', async () => {
    const { clock, first, refreshAndUse, isIn } = await makeBrowser();
    clock.advance(10 * minute);
    const second = await refreshAndUse(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(await isIn(first.view.access_token)).toBe(true);
    clock.advance(10 * minute);
    const third = await refreshAndUse(second.refreshToken);
    expect(third.refreshToken).not.toBe(second.refreshToken);
  });

  it('creates one new refresh token for many tabs at once', async () => {
    const { clock, first, refresh } = await makeBrowser();
    clock.advance(minute);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(first.refreshToken)));
    expect(new Set(answers.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect(new Set(answers.map(({ view }) => view.access_token)).size).toBe(10);
  });

  it('accepts the old refresh token for half a minute without replacing the new one', async () => {
    const { auth, clock, first, refreshAndUse } = await makeBrowser();
    clock.advance(minute);
    const second = await refreshAndUse(first.refreshToken);
    clock.advance(graceMs - 1);
    expect((await refreshAndUse(second.refreshToken)).refreshToken).toBe(second.refreshToken);
    expect((await refreshAndUse(first.refreshToken)).refreshToken).toBe(second.refreshToken);
    clock.advance(1);
    expect(await auth.refreshBrowserSession(first.refreshToken)).toMatchObject({ reusedBy: { userId: 1 } });
  });

  it('invalidates an unused token of a thief when the owner refreshes', async () => {
    const { auth, clock, first, refresh, refreshAndUse, isIn } = await makeBrowser();
    clock.advance(minute);
    const stolen = await refresh(first.refreshToken);
    clock.advance(graceMs);
    const own = await refreshAndUse(first.refreshToken);
    expect(own.refreshToken).not.toBe(stolen.refreshToken);
    expect(await isIn(stolen.view.access_token)).toBe(false);
    expect(await isIn(first.view.access_token)).toBe(true);
    expect(await auth.refreshBrowserSession(stolen.refreshToken)).toHaveProperty('reusedBy');
    for (const { view } of [first, own]) expect(await isIn(view.access_token)).toBe(false);
  });

  it('whose response was lost is answered again at any time', async () => {
    const { auth, clock, first, refresh, refreshAndUse } = await makeBrowser();
    clock.advance(minute);
    const lost = await refresh(first.refreshToken);
    clock.advance(3 * day);
    const second = await refreshAndUse(first.refreshToken);
    expect(second.refreshToken).not.toBe(lost.refreshToken);
    // Another tab, at the same time.
    clock.advance(graceMs - 1);
    expect((await refreshAndUse(first.refreshToken)).refreshToken).toBe(second.refreshToken);
    clock.advance(1);
    expect(await auth.refreshBrowserSession(first.refreshToken)).toHaveProperty('reusedBy');
  });

  it('ends the whole session, and no other, when a replaced refresh token is used', async () => {
    const { auth, clock, first, open, refreshAndUse, isIn, refresh, sessions } = await makeBrowser();
    const other = await open();
    clock.advance(minute);
    const second = await refreshAndUse(first.refreshToken);
    clock.advance(minute);
    const third = await refreshAndUse(second.refreshToken);
    expect(await auth.refreshBrowserSession(first.refreshToken)).toEqual({
      reusedBy: { userId: 1, username: 'admin' },
    });
    for (const { view } of [first, second, third]) expect(await isIn(view.access_token)).toBe(false);
    for (const { refreshToken } of [first, second, third])
      await expect(refresh(refreshToken)).rejects.toMatchObject(ended);
    expect(await isIn(other.view.access_token)).toBe(true);
    expect(await sessions()).toHaveLength(1);
  });
});

describe('the life of a browser session', () => {
  it('ends by its current or an earlier cookie', async () => {
    const { auth, clock, storage, first, refreshAndUse, isIn, sessions } = await makeBrowser();
    clock.advance(minute);
    const second = await refreshAndUse(first.refreshToken);
    expect((await auth.endBrowserSession(first.refreshToken)).endedBy).toMatchObject({ username: 'admin' });
    expect(await isIn(second.view.access_token)).toBe(false);
    expect([await sessions(), await storage.find(tokens)]).toEqual([[], []]);
    expect((await auth.endBrowserSession(first.refreshToken)).endedBy).toBeNull();
    expect((await auth.endBrowserSession(undefined)).endedBy).toBeNull();
  });

  it('ends when its row is removed, despite a valid access token', async () => {
    const { storage, first, isIn } = await makeBrowser();
    await storage.remove(browserSessions, {});
    expect(await isIn(first.view.access_token)).toBe(false);
  });

  it('ends by a logout with one of its access tokens', async () => {
    const { auth, first, refreshAndUse, isIn, refresh } = await makeBrowser();
    const tab = await refreshAndUse(first.refreshToken);
    const caller = await auth.authenticate(tab.view.access_token);
    if (!caller) throw new Error('not signed in');
    await expect(auth.refreshSession(caller)).rejects.toMatchObject(appError('invalid', /session\/refresh/));
    await auth.logOut(caller);
    expect(await isIn(first.view.access_token)).toBe(false);
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(ended);
  });

  it('ends when another session changes the password', async () => {
    const { auth, first, open, refresh, isIn } = await makeBrowser();
    const other = await open();
    const caller = await auth.authenticate(first.view.access_token);
    if (!caller) throw new Error('not signed in');
    const change = { current_password: 'first password', new_password: 'second password' };
    await auth.changePassword(caller, change);
    expect(await isIn(other.view.access_token)).toBe(false);
    await expect(refresh(other.refreshToken)).rejects.toMatchObject(ended);
    expect(await isIn(first.view.access_token)).toBe(true);
    await refresh(first.refreshToken);
  });

  it.each([
    ['a reset of the password', { reset: true }],
    ['the deletion of the user', { remove: true }],
    ['the deactivation of the user', { is_active: false }],
  ])('refuses %s', async (_what, how: { reset?: boolean; remove?: boolean; is_active?: boolean }) => {
    const { auth, admin, addUser, refresh, isIn, sessions } = await makeBrowser();
    const { id } = await addUser('mira');
    const credentials = { username: 'mira', password: 'password of mira', remember: true };
    const hers = await auth.openBrowserSession(credentials);
    const { caller } = await admin();
    if (how.reset) await auth.resetPassword(caller, { id, newPassword: 'given by admin' });
    if (how.remove) await auth.deleteUser(caller, id);
    if (how.is_active === false) await auth.updateUser(caller, { id, is_active: false });
    expect(await isIn(hers.view.access_token)).toBe(false);
    await expect(refresh(hers.refreshToken)).rejects.toMatchObject(ended);
    expect(await sessions()).toHaveLength(1);
  });
});

it('applies the loss of a role at once', async () => {
  const { auth, addUser, admin } = await makeService();
  const { id } = await addUser('mira', true);
  const credentials = { username: 'mira', password: 'password of mira', remember: true };
  const { view } = await auth.openBrowserSession(credentials);
  await auth.updateUser((await admin()).caller, { id, is_admin: false });
  expect(await auth.authenticate(view.access_token)).toMatchObject({ isAdmin: false });
});
