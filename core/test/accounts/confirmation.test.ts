import { describe, expect, it } from 'vitest';
import { confirmedMs } from '../../src/foundation/accounts/browser-session.rules.js';
import type { Caller } from '../../src/foundation/kernel/index.js';
import { appError, makeService } from './service.js';

async function makeBrowser() {
  const service = await makeService();
  const { auth } = service;
  const callerOf = async (accessToken: string) => {
    const caller = await auth.authenticate(accessToken);
    if (!caller) throw new Error('not signed in');
    return caller;
  };
  const open = async () => {
    const session = await auth.openBrowserSession({
      username: 'admin',
      password: 'first password',
      remember: true,
    });
    const mayGoOn = async (accessToken = session.view.access_token) =>
      auth.refuseUnconfirmed(await callerOf(accessToken)) === null;
    return { ...session, caller: await callerOf(session.view.access_token), mayGoOn };
  };
  return { ...service, open, callerOf };
}

describe('a confirmed password', () => {
  it('is valid ten minutes for all tabs of its session only', async () => {
    const { auth, clock, open } = await makeBrowser();
    const [here, elsewhere] = [await open(), await open()];
    expect(await here.mayGoOn()).toBe(false);
    const { confirmed_until } = await auth.confirmPassword(here.caller, 'first password');
    expect(confirmed_until).toBe(new Date(clock.now() + confirmedMs).toISOString());
    expect(await here.mayGoOn()).toBe(true);
    expect(await elsewhere.mayGoOn()).toBe(false);
    clock.advance(confirmedMs - 1);
    const tab = await auth.refreshBrowserSession(here.refreshToken);
    if ('reusedBy' in tab) throw new Error('reused');
    expect(await here.mayGoOn(tab.view.access_token)).toBe(true);
    clock.advance(1);
    expect(await here.mayGoOn(tab.view.access_token)).toBe(false);
  });

  it('opens nothing when it is wrong', async () => {
    const { auth, open } = await makeBrowser();
    const here = await open();
    const wrong = { ...appError('invalid'), reason: { code: 'password_wrong', params: {} } };
    await expect(auth.confirmPassword(here.caller, 'x')).rejects.toMatchObject(wrong);
    expect(await here.mayGoOn()).toBe(false);
  });

  it('is not asked of API tokens and logins, and not taken from them', async () => {
    const { auth, admin, passwords } = await makeBrowser();
    const { caller } = await admin();
    const made = await auth.createToken(caller, { name: 'script', read_only: false, summary_only: false });
    const script = await auth.authenticate(made.access_token);
    const { verified } = passwords;
    for (const each of [caller, script]) {
      if (!each) throw new Error('not signed in');
      expect(auth.refuseUnconfirmed(each)).toBeNull();
      await expect(auth.confirmPassword(each, 'first password')).rejects.toMatchObject(appError('invalid'));
    }
    expect(passwords.verified).toBe(verified);
  });

  it('is required to create a download ticket, but not to use it', async () => {
    const { auth, clock, open, callerOf } = await makeBrowser();
    const here = await open();
    const ask = (by: Caller) => auth.issueTicket(by, { object: 'the key', confirm: true });
    await expect(ask(here.caller)).rejects.toMatchObject({ reason: { code: 'confirmation_required' } });
    await auth.confirmPassword(here.caller, 'first password');
    clock.advance(confirmedMs - 1);
    const { ticket } = await ask(await callerOf(here.view.access_token));
    clock.advance(1);
    const redeemed = await auth.redeemTicket(ticket, 'the key');
    expect(redeemed && auth.refuseUnconfirmed(redeemed.caller)).toBeNull();
  });
});
