import { describe, expect, it } from 'vitest';
import { tokens, users } from '../../src/foundation/accounts/tables.js';
import { appError, makeService } from './service.js';

describe('a session', () => {
  it('begins with the right password, stores only a hash and expires', async () => {
    const { auth, storage, clock } = await makeService();
    const session = await auth.logIn({ username: 'admin', password: 'first password' });
    expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600, must_change_password: false });
    expect(session.access_token).toMatch(/^hf_[\w-]{43}$/);
    expect(JSON.stringify(await storage.find(tokens))).not.toContain(session.access_token);

    clock.advance(3_599_999);
    expect(await auth.authenticate(session.access_token)).toMatchObject({ username: 'admin', isAdmin: true });
    clock.advance(1);
    expect(await auth.authenticate(session.access_token)).toBeNull();
  });

  it('refuses unknown users and wrong passwords with equal text and effort', async () => {
    const { auth, passwords } = await makeService();
    const wrong = appError('unauthenticated', /username or the password is wrong/);
    await expect(auth.logIn({ username: 'admin', password: 'x' })).rejects.toMatchObject(wrong);
    expect(passwords.verified).toBe(1);
    await expect(auth.logIn({ username: 'nobody', password: 'x' })).rejects.toMatchObject(wrong);
    expect(passwords.verified).toBe(2);
  });

  it('does not begin if the password changes during the check', async () => {
    const { auth, storage, passwords } = await makeService();
    const verify = passwords.verify.bind(passwords);
    passwords.verify = async (hash, password) => {
      const right = await verify(hash, password);
      await storage.update(users, { username: 'admin' }, { password_hash: 'hash of another' });
      return right;
    };
    await expect(auth.logIn({ username: 'admin', password: 'first password' })).rejects.toMatchObject(
      appError('unauthenticated'),
    );
    expect(await storage.find(tokens)).toEqual([]);
  });

  it('ends with a logout; the other sessions stay', async () => {
    const { auth, admin } = await makeService();
    const [here, there] = [await admin(), await admin()];
    await auth.logOut(here.caller);
    expect(await auth.authenticate(here.token)).toBeNull();
    expect(await auth.authenticate(there.token)).not.toBeNull();
  });

  it('is replaced by a refresh, once', async () => {
    const { auth, admin, clock } = await makeService();
    const { token, caller } = await admin();
    clock.advance(3_000_000);
    const fresh = await auth.refreshSession(caller);
    expect(await auth.authenticate(token)).toBeNull();
    clock.advance(3_000_000);
    const again = await auth.authenticate(fresh.access_token);
    expect(again).toMatchObject({ username: 'admin' });
    await expect(auth.refreshSession(caller)).rejects.toMatchObject(appError('unauthenticated'));
  });

  it('notes its use at most once a minute', async () => {
    const { auth, admin, clock, storage } = await makeService();
    const { token, caller } = await admin();
    const usedAt = async () =>
      (await storage.find(tokens, { where: { id: caller.tokenId } }))[0]?.last_used_at;
    const first = clock.now();
    clock.advance(59_999);
    await auth.authenticate(token);
    expect(await usedAt()).toBe(first);
    clock.advance(1);
    await auth.authenticate(token);
    expect(await usedAt()).toBe(first + 60_000);
  });

  it('leaves no row behind: expired ones are removed by later logins', async () => {
    const { admin, clock, storage } = await makeService();
    await admin();
    await admin();
    clock.advance(24 * 3_600_000);
    await admin();
    expect(await storage.find(tokens)).toHaveLength(1);
  });
});

describe('a change of password', () => {
  it('ends every other token of the user and opens the account', async () => {
    const { auth, admin, addUser, signIn } = await makeService();
    const user = await addUser('mira');
    await auth.resetPassword((await admin()).caller, { id: user.id, newPassword: 'given by admin' });
    const here = await signIn('mira', 'given by admin');
    const there = await signIn('mira', 'given by admin');
    expect(here.caller.mustChangePassword).toBe(true);
    const api = await auth.createToken(here.caller, {
      name: 'script',
      read_only: false,
      summary_only: false,
    });
    const stranger = await admin();

    const change = { current_password: 'given by admin', new_password: 'chosen by mira' };
    await auth.changePassword(here.caller, change);
    expect(await auth.authenticate(here.token)).toMatchObject({ mustChangePassword: false });
    expect(await auth.authenticate(there.token)).toBeNull();
    expect(await auth.authenticate(api.access_token)).toBeNull();
    expect(await auth.authenticate(stranger.token)).not.toBeNull();
    await expect(auth.logIn({ username: 'mira', password: 'given by admin' })).rejects.toThrow();
    await signIn('mira', 'chosen by mira');
  });

  it('requires the current password and a different new one', async () => {
    const { auth, admin } = await makeService();
    const { caller, token } = await admin();
    const change = (current_password: string, new_password: string) =>
      auth.changePassword(caller, { current_password, new_password });
    await expect(change('wrong', 'long enough')).rejects.toMatchObject(
      appError('invalid', /current password/),
    );
    await expect(change('first password', 'first password')).rejects.toMatchObject(appError('invalid'));
    expect(await auth.authenticate(token)).not.toBeNull();
  });

  it('ends the tokens of a user whose password an administrator resets', async () => {
    const { auth, admin, addUser, signIn } = await makeService();
    const user = await addUser('mira');
    const before = await signIn('mira', 'password of mira');
    expect(before.caller.mustChangePassword).toBe(false);
    await auth.resetPassword((await admin()).caller, { id: user.id, newPassword: 'given by admin' });
    expect(await auth.authenticate(before.token)).toBeNull();
    expect(await auth.logIn({ username: 'mira', password: 'given by admin' })).toMatchObject({
      must_change_password: true,
    });
  });
});
