import { describe, expect, it } from 'vitest';
import { appError, makeService } from './service.js';

describe('API tokens', () => {
  it('show themselves once, and live until their time ends', async () => {
    const { auth, admin, clock } = await makeService();
    const { caller } = await admin();
    const expires_at = new Date(clock.now() + 7_200_000).toISOString();
    const made = await auth.createToken(caller, {
      name: 'script',
      read_only: true,
      summary_only: false,
      expires_at,
    });
    expect(made.token).toMatchObject({
      name: 'script',
      read_only: true,
      summary_only: false,
      expires_at,
      last_used_at: null,
    });
    expect(await auth.authenticate(made.access_token)).toMatchObject({ readOnly: true, username: 'admin' });

    const { tokens } = await auth.listTokens(caller);
    expect(tokens.map(({ name }) => name)).toEqual(['script']);
    expect(JSON.stringify(tokens)).not.toContain(made.access_token);
    clock.advance(7_200_000);
    expect(await auth.authenticate(made.access_token)).toBeNull();
  });

  it('need an expiry in the future, in any time zone', async () => {
    const { auth, admin } = await makeService();
    const { caller } = await admin();
    const make = (expires_at: string | null) =>
      auth.createToken(caller, { name: 'x', read_only: false, summary_only: false, expires_at });
    await expect(make('2030-01-01T00:00:00Z')).rejects.toMatchObject(appError('invalid', /expires_at/));
    await expect(make('2030-01-01T01:00:00+02:00')).rejects.toMatchObject(appError('invalid'));
    expect((await make('2030-01-01T01:00:00-02:00')).token.expires_at).toBe('2030-01-01T03:00:00.000Z');
    expect((await make(null)).token.expires_at).toBeNull();
  });

  it('never have more than their user, and create none when narrowed', async () => {
    const { auth, admin } = await makeService();
    const { caller } = await admin();
    const grants = [{ repository_id: 1, right: 'see' as const }];
    const { access_token } = await auth.createToken(caller, {
      name: 'narrow',
      read_only: false,
      summary_only: false,
      grants,
    });
    const narrow = await auth.authenticate(access_token);
    if (!narrow) throw new Error('a fresh API token was refused');
    expect(narrow).toMatchObject({ isAdmin: false, limits: [grants] });
    await expect(
      auth.createToken(narrow, { name: 'wide', read_only: false, summary_only: false }),
    ).rejects.toMatchObject(appError('forbidden', /narrowed token/));
  });

  it('end streams of events when the rights of their user change', async () => {
    const { auth, admin, addUser, signIn } = await makeService();
    const { id } = await addUser('mira');
    const { caller } = await signIn('mira', 'password of mira');
    expect(await auth.findSignedOut([caller])).toEqual(new Set());
    const grants = [{ repository_id: 1, right: 'see' as const }];
    await auth.updateUser((await admin()).caller, { id, role: 'limited', grants });
    expect(await auth.findSignedOut([caller])).toEqual(new Set([caller.tokenId]));
    const now = { ...caller, limits: [grants] };
    expect(await auth.findSignedOut([now])).toEqual(new Set());
  });

  it('belong to their user alone', async () => {
    const { auth, admin, addUser, signIn } = await makeService();
    const mine = await auth.createToken((await admin()).caller, {
      name: 'mine',
      read_only: false,
      summary_only: false,
    });
    await addUser('mira');
    const { caller } = await signIn('mira', 'password of mira');
    expect((await auth.listTokens(caller)).tokens).toEqual([]);
    await expect(auth.deleteToken(caller, mine.token.id)).rejects.toMatchObject(appError('not_found'));
    expect(await auth.authenticate(mine.access_token)).not.toBeNull();
    await auth.deleteToken((await admin()).caller, mine.token.id);
    expect(await auth.authenticate(mine.access_token)).toBeNull();
  });

  it('cannot refresh a session, and a session cannot replace one', async () => {
    const { auth, admin } = await makeService();
    const { caller } = await admin();
    const { access_token: token } = await auth.createToken(caller, {
      name: 'script',
      read_only: false,
      summary_only: false,
    });
    const script = await auth.authenticate(token);
    if (!script) throw new Error('a fresh API token was refused');
    await expect(auth.refreshSession(script)).rejects.toMatchObject(
      appError('invalid', /cannot be refreshed/),
    );
    expect(await auth.authenticate(token)).not.toBeNull();
    await expect(auth.deleteToken(caller, caller.tokenId)).rejects.toMatchObject(appError('not_found'));
  });

  it('are not created by an ended session', async () => {
    const { auth, admin } = await makeService();
    const { caller } = await admin();
    await auth.logOut(caller);
    await expect(
      auth.createToken(caller, { name: 'late', read_only: false, summary_only: false }),
    ).rejects.toMatchObject(appError('unauthenticated'));
    expect((await auth.listTokens(caller)).tokens).toEqual([]);
  });
});
