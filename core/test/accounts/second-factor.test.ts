import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { challengeLifeMs, tokens } from '../../src/foundation/accounts/index.js';
import { AppError } from '../../src/foundation/kernel/index.js';
import { makeService } from './service.js';

const codeOf = (secret: string, timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
const stepMs = 30_000;

/** A user with an authenticator app. `due` gives the password and answers the challenge. */
async function withApp() {
  const service = await makeService();
  const { auth, clock } = service;
  const { caller } = await service.admin();
  const { challenge, secret } = await auth.setUpTotp(caller, 'first password');
  const code = () => codeOf(secret, clock.now());
  const { recovery_codes } = await auth.enableTotp(caller, { challenge, code: code() });
  clock.advance(stepMs);
  const due = async () => {
    const error = await auth.logIn({ username: 'admin', password: 'first password' }).catch((e) => e);
    expect(error).toBeInstanceOf(AppError);
    return (error as AppError).secondFactor;
  };
  const challengeDue = async () => (await due())?.challenge ?? '';
  return { ...service, caller, secret, code, recovery_codes, due, challengeDue };
}

const failing = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: AppError) => error.reason.code,
  );

describe('the second factor', () => {
  it('asks for a code after the right password', async () => {
    const { auth, code, due } = await withApp();
    expect(await due()).toMatchObject({ methods: ['totp', 'recovery_code'], expires_in: 600 });
    const challenge = (await due())?.challenge ?? '';
    const session = await auth.completeLogin({ challenge, code: code() });
    expect(await auth.authenticate(session.access_token)).toMatchObject({ username: 'admin' });
  });

  it('refuses a code that was used, or is older than that', async () => {
    const { auth, clock, secret, code, challengeDue } = await withApp();
    const answer = async (given: string) =>
      failing(auth.completeLogin({ challenge: await challengeDue(), code: given }));
    const now = code();
    expect(await answer(now)).toBe('done');
    expect(await answer(now)).toBe('code_wrong');
    expect(await answer(codeOf(secret, clock.now() - stepMs))).toBe('code_wrong');
    expect(await answer(codeOf(secret, clock.now() + stepMs))).toBe('done');
    expect(await answer(codeOf(secret, clock.now() + 2 * stepMs))).toBe('code_wrong');
  });

  it('lets only one of two answers through when they come at once', async () => {
    const { auth, code, challengeDue } = await withApp();
    const [first, second] = [await challengeDue(), await challengeDue()];
    const given = { code: code() };
    const results = await Promise.all([
      failing(auth.completeLogin({ challenge: first, ...given })),
      failing(auth.completeLogin({ challenge: second, ...given })),
    ]);
    expect(results.toSorted()).toEqual(['code_wrong', 'done']);
  });

  it('takes each recovery code once, as people type it', async () => {
    const { auth, recovery_codes, challengeDue } = await withApp();
    const [first = ''] = recovery_codes;
    const given = first.toUpperCase().replaceAll('-', ' ');
    expect(await failing(auth.completeLogin({ challenge: await challengeDue(), code: given }))).toBe('done');
    expect(await failing(auth.completeLogin({ challenge: await challengeDue(), code: first }))).toBe(
      'code_wrong',
    );
    expect((await auth.listUsers(undefined as never))[0]?.second_factor.recovery_codes).toBe(9);
  });

  it.each([
    [
      'used',
      async ({ auth, code }: App, challenge: string) => auth.completeLogin({ challenge, code: code() }),
    ],
    ['expired', async ({ clock }: App) => clock.advance(challengeLifeMs)],
    [
      'from before a change of the password',
      async ({ auth, caller }: App) =>
        auth.changePassword(caller, { current_password: 'first password', new_password: 'second password' }),
    ],
    [
      'answered wrong five times',
      async ({ auth }: App, challenge: string) => {
        for (let i = 0; i < 5; i += 1) await failing(auth.completeLogin({ challenge, code: '000000' }));
      },
    ],
  ])('refuses a challenge that is %s', async (_, end) => {
    const app = await withApp();
    const challenge = await app.challengeDue();
    await end(app, challenge);
    app.clock.advance(stepMs);
    expect(await failing(app.auth.completeLogin({ challenge, code: app.code() }))).toBe('sign_in_step_over');
  });

  it('refuses to set up an app for the challenge of another user', async () => {
    const { auth, addUser, signIn, admin, clock } = await makeService();
    await addUser('bob');
    const bob = await signIn('bob', 'password of bob');
    const { caller } = await admin();
    const { challenge, secret } = await auth.setUpTotp(caller, 'first password');
    const answer = { challenge, code: codeOf(secret, clock.now()) };
    expect(await failing(auth.enableTotp(bob.caller, answer))).toBe('setup_over');
    expect(await failing(auth.enableTotp(caller, { ...answer, code: '1' }))).toBe('first_code_wrong');
    expect(await failing(auth.enableTotp(caller, answer))).toBe('done');
    expect(await failing(auth.setUpTotp(caller, 'first password'))).toBe('totp_set_up');
  });

  it('removes the app with the password and a code', async () => {
    const { auth, caller, code, signIn } = await withApp();
    const remove = (password: string, given: string) =>
      failing(auth.disableTotp(caller, { password, code: given }));
    expect(await remove('wrong', code())).toBe('password_wrong');
    expect(await remove('first password', '000000')).toBe('current_code_wrong');
    expect(await remove('first password', code())).toBe('done');
    expect((await signIn('admin', 'first password')).caller.username).toBe('admin');
    expect(await failing(auth.renewRecoveryCodes(caller, 'first password'))).toBe('second_factor_missing');
  });

  it('ends the sessions, but not the API tokens, when an administrator resets it', async () => {
    const { auth, caller, signIn, storage } = await withApp();
    const api = await auth.createToken(caller, { name: 'script', read_only: false, summary_only: false });
    await auth.resetFactor(caller, caller.userId);
    expect(await auth.authenticate(api.access_token)).not.toBeNull();
    expect(await storage.find(tokens)).toHaveLength(1);
    expect((await signIn('admin', 'first password')).caller.username).toBe('admin');
  });

  it('asks sessions, not API tokens, to set it up when the policy requires it', async () => {
    const { auth, settings, admin, addUser, signIn } = await makeService();
    const { caller } = await admin();
    const api = await auth.createToken(caller, { name: 'script', read_only: false, summary_only: false });
    await addUser('bob');
    settings.requireSecondFactor = 'admin';
    expect((await admin()).caller.mustSetUpFactor).toBe(true);
    expect((await auth.getMe(caller)).must_set_up_second_factor).toBe(true);
    expect((await auth.authenticate(api.access_token))?.mustSetUpFactor).toBe(false);
    expect((await signIn('bob', 'password of bob')).caller.mustSetUpFactor).toBe(false);
    settings.requireSecondFactor = 'all';
    expect((await signIn('bob', 'password of bob')).caller.mustSetUpFactor).toBe(true);
  });
});

type App = Awaited<ReturnType<typeof withApp>>;
