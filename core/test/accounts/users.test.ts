import { describe, expect, it } from 'vitest';
import { users } from '../../src/foundation/accounts/tables.js';
import { appError, makeService } from './service.js';

describe('users', () => {
  it('are created without e-mail address and login, and listed so', async () => {
    const { auth, admin, addUser } = await makeService();
    const made = await addUser('mira');
    expect(made).toMatchObject({ username: 'mira', email: null, last_login: null, is_active: true });
    expect(made.must_change_password).toBe(false);
    const list = await auth.listUsers((await admin()).caller);
    expect(list.map(({ username }) => username)).toEqual(['admin', 'mira']);
    expect(JSON.stringify(list)).not.toContain('hash of');
  });

  it.each([
    [{}, 'user', []],
    [{ is_admin: true }, 'admin', []],
    [{ role: 'admin' as const }, 'admin', []],
    [{ role: 'limited' as const, grants: [{ tag: 'web', right: 'see' as const }] }, 'limited', ['web']],
  ])('have a role, from %j', async (given, role, tags) => {
    const { auth, admin } = await makeService();
    const { caller } = await admin();
    const made = await auth.createUser(caller, { username: 'mira', password: 'long enough', ...given });
    expect([made.role, made.is_admin, made.grants.map(({ tag }) => tag)]).toEqual([
      role,
      role === 'admin',
      tags,
    ]);
  });

  it('lose their grants with the role, and keep them otherwise', async () => {
    const { auth, admin, addUser } = await makeService();
    const { caller } = await admin();
    const { id } = await addUser('mira');
    const grants = [{ repository_id: 1, right: 'see' as const }];
    const change = (changes: object) => auth.updateUser(caller, { id, ...changes });
    const wrong = change({ grants });
    await expect(wrong).rejects.toMatchObject({ reason: { code: 'grants_without_limit' } });
    const limits = { role: 'limited', grants, restore_paths: ['/srv'] };
    expect(await change(limits)).toMatchObject(limits);
    expect(await change({ email: null })).toMatchObject(limits);
    await expect(change({ is_admin: true, role: 'user' })).rejects.toMatchObject({
      reason: { code: 'role_contradicts' },
    });
    expect(await change({ role: 'user' })).toMatchObject({ role: 'user', grants: [], restore_paths: [] });
    await expect(auth.updateUser(caller, { id: caller.userId, role: 'limited' })).rejects.toMatchObject({
      reason: { code: 'last_administrator' },
    });
  });

  it('have one name and one e-mail address each', async () => {
    const { auth, admin } = await makeService();
    const { caller } = await admin();
    const make = (username: string, email: string | null) =>
      auth.createUser(caller, { username, email, password: 'long enough', is_admin: false });
    await make('mira', 'mira@example.org');
    await make('without', null);
    await make('without too', null);
    const texts = {
      name: /^Another user has this username: choose/,
      mail: /^Another user has this e-mail address/,
    };
    await expect(make('mira', null)).rejects.toMatchObject({
      ...appError('conflict', texts.name),
      reason: { code: 'username_taken' },
    });
    await expect(make('other', 'mira@example.org')).rejects.toMatchObject({
      ...appError('conflict', texts.mail),
      reason: { code: 'email_taken' },
    });
    const other = await make('other', 'other@example.org');
    await expect(auth.updateUser(caller, { id: other.id, email: 'mira@example.org' })).rejects.toMatchObject(
      appError('conflict', /e-mail/),
    );
  });

  it.each([
    ...[
      'Admin',
      'ADMIN',
      'admin\u200b',
      'a d m i n',
      'аdmin',
      'adm1n',
      'admın',
      'adrnin',
      'ádmin',
      'ａｄｍｉｎ',
      '\u200b',
    ],
  ])('do not look like another one when the name is %j', async (username) => {
    const { auth, admin } = await makeService();
    const { caller } = await admin();
    const made = auth.createUser(caller, { username, password: 'long enough', is_admin: false });
    await expect(made).rejects.toMatchObject({ reason: { code: 'username_resembles' } });
    for (const other of ['admin2', 'badmin', '管理者', 'админ'])
      await auth.createUser(caller, { username: other, password: 'long enough', is_admin: false });
  });

  it('keep fields missing in an update and clear the e-mail address with null', async () => {
    const { auth, admin } = await makeService();
    const { caller } = await admin();
    const input = { username: 'mira', email: 'mira@example.org', password: 'long enough', is_admin: true };
    const { id } = await auth.createUser(caller, input);
    expect(await auth.updateUser(caller, { id, is_admin: false })).toMatchObject({
      email: 'mira@example.org',
      is_admin: false,
      is_active: true,
    });
    expect(await auth.updateUser(caller, { id, email: null })).toMatchObject({ email: null });
    expect((await auth.listUsers(caller))[1]).toMatchObject({ email: null, is_admin: false });
    await expect(auth.updateUser(caller, { id: 999 })).rejects.toMatchObject(appError('not_found'));
  });

  it('lose their tokens when they are deactivated, and do not get them back', async () => {
    const { auth, admin, addUser, signIn } = await makeService();
    const { id } = await addUser('mira');
    const { token } = await signIn('mira', 'password of mira');
    const { caller } = await admin();
    await auth.updateUser(caller, { id, is_active: false });
    expect(await auth.authenticate(token)).toBeNull();
    await expect(auth.logIn({ username: 'mira', password: 'password of mira' })).rejects.toMatchObject(
      appError('unauthenticated', /deactivated/),
    );
    await auth.updateUser(caller, { id, is_active: true });
    expect(await auth.authenticate(token)).toBeNull();
  });

  it('cannot sign in or use tokens while inactive', async () => {
    const { auth, addUser, signIn, storage } = await makeService();
    const { id } = await addUser('mira');
    const { token } = await signIn('mira', 'password of mira');
    await storage.update(users, { id }, { is_active: false });
    expect(await auth.authenticate(token)).toBeNull();
  });

  it('lose their tokens when they are deleted', async () => {
    const { auth, admin, addUser, signIn } = await makeService();
    const { id } = await addUser('mira');
    const { token } = await signIn('mira', 'password of mira');
    const { caller } = await admin();
    await auth.deleteUser(caller, id);
    expect(await auth.authenticate(token)).toBeNull();
    await expect(auth.deleteUser(caller, id)).rejects.toMatchObject(appError('not_found'));
    await expect(auth.deleteUser(caller, caller.userId)).rejects.toMatchObject(
      appError('invalid', /own account/),
    );
  });
});

describe('the last active administrator', () => {
  it('is neither demoted, nor deactivated, nor deleted', async () => {
    const { auth, admin, addUser, signIn } = await makeService();
    const boss = await addUser('boss', true);
    const { caller } = await signIn('boss', 'password of boss');
    const first = (await admin()).caller.userId;
    await auth.updateUser(caller, { id: first, is_active: false });
    const last = appError('invalid', /last active administrator/);
    await expect(auth.updateUser(caller, { id: boss.id, is_admin: false })).rejects.toMatchObject(last);
    await expect(auth.updateUser(caller, { id: boss.id, is_active: false })).rejects.toMatchObject(last);
    await expect(auth.deleteUser({ ...caller, userId: first }, boss.id)).rejects.toMatchObject(last);
    await auth.deleteUser(caller, first);
  });

  it('stays when two demote each other at once', async () => {
    const { auth, admin, addUser } = await makeService();
    const boss = await addUser('boss', true);
    const { caller } = await admin();
    const results = await Promise.allSettled([
      auth.updateUser(caller, { id: boss.id, is_admin: false }),
      auth.updateUser(caller, { id: caller.userId, is_admin: false }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const admins = (await auth.listUsers(caller)).filter((user) => user.is_admin && user.is_active);
    expect(admins).toHaveLength(1);
  });
});
