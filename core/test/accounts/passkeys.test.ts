import { describe, expect, it } from 'vitest';
import { challengeLifeMs } from '../../src/foundation/accounts/index.js';
import type { AppError } from '../../src/foundation/kernel/index.js';
import { makeService } from './service.js';

const origin = 'https://backup.example.org';
const password = 'first password';

const failing = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: AppError) => error.reason.code,
  );

/** A browser of the administrator, and what it does with passkeys. */
async function withBrowser() {
  const service = await makeService();
  const { auth } = service;
  const open = async () => {
    const { view } = await auth.openBrowserSession({ username: 'admin', password, remember: false });
    const caller = await auth.authenticate(view.access_token);
    if (!caller) throw new Error('not signed in');
    return caller;
  };
  const caller = await open();
  const other = await open();
  const add = async (id: string, by = caller) => {
    const { challenge } = await auth.setUpPasskey(by, { password, origin });
    return auth.addPasskey(by, { challenge, name: id, origin, response: answer({ id, challenge }) });
  };
  const begin = async () => (await auth.offerPasskeySignIn({ origin })).challenge;
  const use = (challenge: string, given: object = {}) =>
    auth.signInWithPasskey({
      challenge,
      response: answer({ id: 'phone', challenge, ...given }),
      remember: false,
    });
  return { ...service, caller, other, add, begin, use };
}

const answer = <T extends { id: string }>(given: T) => ({
  type: 'public-key' as const,
  verified: true,
  counter: 0,
  ...given,
});

describe('passkeys', () => {
  it('gives recovery codes with the first one only', async () => {
    const { add } = await withBrowser();
    expect((await add('phone')).recovery_codes).toHaveLength(10);
    expect((await add('laptop')).recovery_codes).toEqual([]);
  });

  it('signs in without a password once for each challenge', async () => {
    const { auth, caller, add, begin, use, clock } = await withBrowser();
    await add('phone');
    const challenge = await begin();
    expect((await use(challenge)).view).toMatchObject({ username: 'admin', second_factor: { passkeys: 1 } });
    expect(await failing(use(challenge))).toBe('sign_in_step_over');
    clock.advance(1);
    const late = await begin();
    clock.advance(challengeLifeMs);
    expect(await failing(use(late))).toBe('sign_in_step_over');
    expect(await failing(use('hf1.made.up'))).toBe('sign_in_step_over');
    expect((await auth.listPasskeys(caller)).passkeys[0]?.last_used_at).not.toBeNull();
  });

  it('refuses an answer without the user, of another challenge, or of nobody', async () => {
    const { add, begin, use, clock } = await withBrowser();
    await add('phone');
    expect(await failing(use(await begin(), { verified: false }))).toBe('passkey_wrong');
    const earlier = await begin();
    clock.advance(1);
    expect(await failing(use(await begin(), { challenge: earlier }))).toBe('passkey_wrong');
    expect(await failing(use(await begin(), { id: 'none' }))).toBe('passkey_wrong');
  });

  it('refuses an authenticator when its counter goes back or stays', async () => {
    const { add, begin, use, clock } = await withBrowser();
    await add('phone');
    const count = async (counter: number) => {
      clock.advance(1);
      return failing(use(await begin(), { counter }));
    };
    expect(await count(5)).toBe('done');
    expect(await count(5)).toBe('passkey_copied');
    expect(await count(4)).toBe('passkey_copied');
    expect(await count(0)).toBe('passkey_copied');
    expect(await count(6)).toBe('done');
  });

  it('refuses users who are deactivated', async () => {
    const { auth, add, addUser, begin, use, caller } = await withBrowser();
    const ann = await addUser('ann');
    const { view } = await auth.openBrowserSession({
      username: 'ann',
      password: 'password of ann',
      remember: false,
    });
    const annHerself = await auth.authenticate(view.access_token);
    if (!annHerself) throw new Error('not signed in');
    const given = { password: 'password of ann', origin };
    const { challenge } = await auth.setUpPasskey(annHerself, given);
    const response = answer({ id: 'phone', challenge });
    expect(await failing(auth.addPasskey(caller, { challenge, name: 'x', origin, response }))).toBe(
      'setup_over',
    );
    await auth.addPasskey(annHerself, { challenge, name: 'x', origin, response });
    expect(await failing(add('phone'))).toBe('passkey_known');
    await auth.updateUser(caller, { id: ann.id, is_active: false });
    expect(await failing(use(await begin()))).toBe('account_deactivated');
  });

  it('answers a second factor once, also without verifying the user', async () => {
    const { auth, add, use } = await withBrowser();
    await add('phone');
    const due = async () => {
      const opened = auth.openBrowserSession({ username: 'admin', password, remember: true });
      const { secondFactor } = (await opened.catch((error) => error)) as AppError;
      expect(secondFactor?.methods).toEqual(['passkey', 'recovery_code']);
      return secondFactor?.challenge ?? '';
    };
    const challenge = await due();
    expect((await auth.offerPasskeySignIn({ challenge, origin })).options).toMatchObject({ known: 1 });
    const elsewhere = auth.offerPasskeySignIn({ challenge, origin: 'https://other.example.org' });
    expect(await failing(elsewhere)).toBe('passkey_elsewhere');
    const session = await use(challenge, { verified: false });
    expect(session.keepForMs).not.toBeNull();
    expect(await failing(use(challenge, { verified: false }))).toBe('sign_in_step_over');
    expect(await failing(use(await due(), { id: 'none' }))).toBe('passkey_wrong');
  });

  it('confirms in the browser session that asked, and nothing else', async () => {
    const { auth, add, begin, caller, other, clock } = await withBrowser();
    await add('phone');
    const ask = async (by = caller) => (await auth.offerPasskeyConfirmation(by, origin)).challenge;
    const confirm = (challenge: string, by = caller, given: object = {}) =>
      failing(
        auth.confirmByPasskey(by, { challenge, response: answer({ id: 'phone', challenge, ...given }) }),
      );
    const challenge = await ask();
    expect(await confirm(challenge, other)).toBe('passkey_wrong');
    expect(await confirm(challenge, caller, { verified: false })).toBe('passkey_wrong');
    expect(await confirm(await begin())).toBe('setup_over');
    expect(await confirm(challenge)).toBe('done');
    expect(await confirm(challenge)).toBe('setup_over');
    const late = await ask();
    clock.advance(challengeLifeMs);
    expect(await confirm(late)).toBe('setup_over');
  });

  it('asks for another one after the last is removed where the policy requires it', async () => {
    const { auth, add, caller, settings } = await withBrowser();
    await add('phone');
    settings.requireSecondFactor = 'admin';
    expect(await failing(auth.removePasskey(caller, 'other'))).toBe('passkey_unknown');
    await auth.renamePasskey(caller, { id: 'phone', name: 'Telephone' });
    expect((await auth.listPasskeys(caller)).passkeys).toMatchObject([{ id: 'phone', name: 'Telephone' }]);
    await auth.removePasskey(caller, 'phone');
    const { second_factor, must_set_up_second_factor } = await auth.getMe(caller);
    expect(second_factor).toEqual({ totp: false, passkeys: 0, recovery_codes: 0 });
    expect(must_set_up_second_factor).toBe(true);
  });

  it('keeps API tokens from passkeys', async () => {
    const { auth, add, caller } = await withBrowser();
    await add('phone');
    const token = await auth.createToken(caller, { name: 'script', read_only: false, summary_only: false });
    const script = await auth.authenticate(token.access_token);
    if (!script) throw new Error('not signed in');
    expect(await failing(auth.removePasskey(script, 'phone'))).toBe('passkey_needs_session');
    expect(await failing(auth.setUpPasskey(script, { password: 'guess', origin }))).toBe('password_wrong');
  });

  it('keeps at most twenty for each user', async () => {
    const { add } = await withBrowser();
    for (let n = 0; n < 20; n += 1) await add(`key ${n}`);
    expect(await failing(add('one more'))).toBe('passkeys_too_many');
  });
});
