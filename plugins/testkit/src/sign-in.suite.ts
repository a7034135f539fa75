import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  PluginDefinition,
  SignedIn,
  SignInCallback,
  SignInProvider,
  SignInStart,
} from '@holdfast/plugin-api';
import { type ConformanceCase, conformanceCase, offered } from './case.js';
import { quiet, within } from './notifier/harness.js';
import { secretsOfConfiguration } from './notifier/secrets.js';
import { replyWith } from './notifier/sink.js';
import { type Mischief, type Person, ProviderSink } from './sign-in/provider-sink.js';

export type { Mischief, Person } from './sign-in/provider-sink.js';

type Returned = Pick<SignInCallback, 'url'> & Partial<Pick<SignInCallback, 'proxyHeaders'>>;

export interface SignInSuiteOptions {
  plugin: PluginDefinition<'sign-in'>;
  /** The plugin's own configuration, with which it uses this provider. */
  configurationFor(provider: ProviderSink): unknown;
  /** Plays a person and the provider, if that is not `provider`: how the browser comes back from `redirect`. */
  visit?(redirect: string, person: Person, mischief: Mischief): Returned | Promise<Returned>;
  /**
   * What the protocol does not have. `provider`: one that the plugin asks. `tokens`: ID tokens, as plain OAuth 2.0 has
   * none. `cancel`: a way to cancel. `verified`: a note whether an e-mail address was verified. `codes`: codes that work
   * once. `groups`: groups. `end`: a session that the plugin can end. Cases about these are left out.
   */
  without?: readonly Feature[];
}

type Feature = 'provider' | 'tokens' | 'cancel' | 'verified' | 'codes' | 'groups' | 'end';

type Suite = Required<Pick<SignInSuiteOptions, 'without'>> & Pick<SignInSuiteOptions, 'visit'>;

interface Scene extends Suite {
  signIn: SignInProvider;
  provider: ProviderSink;
  secrets: readonly string[];
}

const callback = 'https://backup.example.org/holdfast/api/auth/sign-in/probe/callback';
const ada: Person = {
  subject: 'sub-ada-1',
  userName: 'ada',
  displayName: 'Ada Lovelace',
  email: 'ada@example.org',
  groups: ['staff', 'über admins'],
};
const mallory: Person = { ...ada, subject: 'sub-mallory-2', userName: 'mallory', email: 'm@example.org' };

/** The longest that a person waits for a provider that does not answer, milliseconds. */
const patience = 15_000;

const never = new AbortController().signal;

const begin = ({ signIn }: Scene, request: Partial<SignInStart> = {}) =>
  within('begin()', () => signIn.begin({ callback, fresh: false, signal: never, ...request }), patience);

const visited = async (
  { visit, provider }: Scene,
  redirect: string,
  person = ada,
  mischief: Mischief = {},
): Promise<Returned> =>
  visit ? visit(redirect, person, mischief) : { url: provider.visit(redirect, person, mischief) };

const finish = (
  { signIn }: Scene,
  kept: string,
  returned: Returned,
  signal: AbortSignal = never,
): Promise<SignedIn> =>
  within('finish()', () => signIn.finish({ proxyHeaders: {}, ...returned, kept, signal }), patience);

async function signedIn(scene: Scene, person = ada, mischief: Mischief = {}): Promise<SignedIn> {
  const { redirect, kept } = await begin(scene);
  return finish(scene, kept, await visited(scene, redirect, person, mischief));
}

/** The sentence of an Error without secrets; fails the case if somebody is signed in. */
async function refusal(
  { secrets }: Scene,
  what: string,
  signingIn: Promise<unknown>,
  kind: 'refused' | 'unavailable' | 'either' = 'either',
): Promise<void> {
  const error = await signingIn.then(
    () => assert.fail(`somebody is signed in with ${what}`),
    (reason: unknown) => reason,
  );
  if (error instanceof assert.AssertionError) throw error;
  assert.ok(error instanceof Error, `${what}: it was rejected with something that is not an Error`);
  assert.match(error.message, /^\P{Ll}.{8,300}[.!?]$/su, `${what}: the error is not a sentence`);
  for (const secret of secrets)
    assert.ok(!error.message.includes(secret), `${what}: the error has a secret in it`);
  if (kind === 'either') return;
  const isRefused = error.name === 'SignInRefused';
  assert.equal(isRefused, kind === 'refused', `${what} is ${isRefused ? '' : 'not '}a SignInRefused`);
}

const changed = (url: string, change: (query: URLSearchParams) => void) => {
  const other = new URL(url);
  change(other.searchParams);
  return other.href;
};

/** A sign-in whose ID token, or whatever describes the person, is not for it. */
const refusesMischief = (mischiefs: Record<string, (scene: Scene) => Mischief>) => async (scene: Scene) => {
  for (const [what, mischief] of Object.entries(mischiefs))
    await refusal(scene, what, signedIn(scene, ada, mischief(scene)));
  await signedIn(scene);
};

const failures: Record<string, (provider: ProviderSink) => unknown> = {
  'a provider that answers 500': ({ sink }) => {
    sink.answer = replyWith(500, 'no');
  },
  'a provider that answers with a page': ({ sink }) => {
    sink.answer = replyWith(200, '<html>sign in here</html>');
  },
  'a provider that answers with other JSON': (provider) =>
    provider.fail((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer":[1],"sub":null}'),
    ),
  'a provider that does not end its answer': (provider) =>
    provider.fail((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () =>
        void (response.destroyed || response.write(' '.repeat(65_536), () => setTimeout(more)));
      more();
    }),
  'a provider that does not answer': (provider) => provider.fail(() => undefined),
  'a provider that closes the connection': (provider) => provider.fail((response) => response.destroy()),
  'a provider that is down': (provider) => provider.close(),
};

const checks: Record<string, (scene: Scene) => Promise<void>> = {
  'describes itself': async ({ signIn }) => {
    assert.match(signIn.label, /\S/);
    assert.match(signIn.issuer, /\S/);
  },
  'signs a person in': async (scene) => {
    const { subject, logout, ...person } = await signedIn(scene);
    assert.ok(subject.trim() !== '', 'there is no subject');
    assert.ok((logout ?? '').length < 8_192, 'logout is too long');
    const { subject: _, ...expected } = ada;
    const groups = scene.without.includes('groups') ? [] : expected.groups;
    assert.deepEqual({ ...person, groups: [...person.groups] }, { ...expected, groups });
  },
  'keeps the subject of a person, and gives it to no other': async (scene) => {
    const { subject } = await signedIn(scene);
    assert.equal((await signedIn(scene)).subject, subject);
    assert.notEqual((await signedIn(scene, mallory)).subject, subject);
    // Where a proxy names people, the name is all there is.
    if (scene.without.includes('provider')) return;
    const renamed = { ...ada, userName: 'ada.king', email: 'king@example.org' };
    assert.equal((await signedIn(scene, renamed)).subject, subject, 'a new name is a new subject');
    const borrowed = { ...mallory, userName: ada.userName, email: ada.email };
    assert.notEqual(
      (await signedIn(scene, borrowed)).subject,
      subject,
      'a borrowed name is the same subject',
    );
  },
  'begins each sign-in with values of its own, and no secret': async (scene) => {
    const [one, two] = [await begin(scene), await begin(scene)];
    const values = ({ redirect }: { redirect: string }) => new URL(redirect).searchParams;
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const value = values(one).get(name);
      assert.ok(value === null || value !== values(two).get(name), `two sign-ins have the same ${name}`);
      assert.ok(value === null || value.length >= 16, `${name} can be guessed`);
    }
    assert.notEqual(one.kept, two.kept, 'two sign-ins keep the same');
    assert.ok(one.kept.length < 4_096, 'it keeps too much');
    for (const secret of scene.secrets)
      assert.ok(!one.redirect.includes(secret), 'a secret is in the address');
  },
  'refuses a callback without its state': async (scene) => {
    const { redirect, kept } = await begin(scene);
    const returned = await visited(scene, redirect);
    const others = {
      'another state': (query: URLSearchParams) => query.set('state', 'x'.repeat(32)),
      'no state': (query: URLSearchParams) => query.delete('state'),
    };
    for (const [what, change] of Object.entries(others))
      await refusal(
        scene,
        what,
        finish(scene, kept, { ...returned, url: changed(returned.url, change) }),
        'refused',
      );
  },
  'refuses the callback of another sign-in': async (scene) => {
    const own = await begin(scene);
    const other = await begin(scene);
    const returned = await visited(scene, other.redirect, mallory);
    await refusal(scene, 'the answer to another sign-in', finish(scene, own.kept, returned), 'refused');
    // The right state with the code of another sign-in.
    const mine = await visited(scene, own.redirect);
    if (scene.without.includes('codes')) return;
    const code = new URL(returned.url).searchParams.get('code') ?? '';
    const url = changed(mine.url, (query) => query.set('code', code));
    await refusal(scene, 'the code of another sign-in', finish(scene, own.kept, { ...mine, url }));
  },
  'refuses a callback that was answered before': async (scene) => {
    const { redirect, kept } = await begin(scene);
    const returned = await visited(scene, redirect);
    await finish(scene, kept, returned);
    await refusal(scene, 'an answer that was used', finish(scene, kept, returned));
  },
  'refuses an answer of another issuer': async (scene) => {
    const { redirect, kept } = await begin(scene);
    const { url } = await visited(scene, redirect);
    const mixed = changed(url, (query) => query.set('iss', 'https://other.example.org'));
    await refusal(scene, 'another issuer', finish(scene, kept, { url: mixed }));
    await refusesMischief({
      'a token of another issuer': () => ({ issuer: 'https://other.example.org' }),
      'a token for another client': () => ({ audience: 'another-client' }),
      'a token that is signed by somebody else': () => ({ forged: true }),
    })(scene);
  },
  'refuses a nonce that it did not send': async (scene) => {
    const earlier = new URL((await begin(scene)).redirect).searchParams.get('nonce');
    await refusesMischief({
      'the nonce of an earlier sign-in': () => ({ nonce: earlier ?? 'earlier' }),
      'an empty nonce': () => ({ nonce: '' }),
    })(scene);
  },
  'leaves out an e-mail address that is not verified': async (scene) => {
    assert.equal((await signedIn(scene, ada, { emailVerified: false })).email, null);
    assert.equal((await signedIn(scene)).email, ada.email);
  },
  'reads groups of any form': async (scene) => {
    for (const groups of [undefined, null, 7, {}, [7, null, { a: 1 }], [], ''])
      assert.deepEqual(
        (await signedIn(scene, ada, { groups })).groups.filter((group) => typeof group !== 'string'),
        [],
      );
    assert.deepEqual([...(await signedIn(scene, ada, { groups: 'staff' })).groups], ['staff']);
  },
  'refuses a sign-in that the person cancels': async (scene) => {
    await refusal(scene, 'a cancelled sign-in', signedIn(scene, ada, { cancelled: true }), 'refused');
  },
  'asks the person to authenticate again, or says that it cannot': async (scene) => {
    const started = await begin(scene, { fresh: true }).catch((error: unknown) => error);
    if (started instanceof Error) return refusal(scene, 'fresh', Promise.reject(started), 'refused');
    const { redirect, kept } = started as Awaited<ReturnType<typeof begin>>;
    const old = { authTime: Math.floor(Date.now() / 1000) - 3_600 };
    await refusal(
      scene,
      'an old authentication',
      visited(scene, redirect, ada, old).then((back) => finish(scene, kept, back)),
    );
    const unsaid = await begin(scene, { fresh: true });
    const silent = await visited(scene, unsaid.redirect, ada, { authTime: null });
    await refusal(scene, 'an authentication of unknown time', finish(scene, unsaid.kept, silent));
    const again = await begin(scene, { fresh: true });
    assert.ok((await finish(scene, again.kept, await visited(scene, again.redirect))).subject);
  },
  ...Object.fromEntries(
    Object.entries(failures).map(([what, fail]) => [
      `says that it cannot tell with ${what}, and recovers`,
      async (scene: Scene) => {
        const { redirect, kept } = await begin(scene);
        const returned = await visited(scene, redirect);
        await fail(scene.provider);
        await refusal(scene, what, finish(scene, kept, returned), 'unavailable');
        await begin(scene).catch((error) => refusal(scene, what, Promise.reject(error), 'unavailable'));
        if (what.endsWith('is down')) await scene.provider.sink.reopen();
        scene.provider.recover();
        await signedIn(scene);
      },
    ]),
  ),
  'ends when it is aborted': async (scene) => {
    const { redirect, kept } = await begin(scene);
    const returned = await visited(scene, redirect);
    scene.provider.fail(() => undefined);
    const stop = new AbortController();
    const signingIn = finish(scene, kept, returned, stop.signal);
    signingIn.catch(() => undefined);
    await scene.provider.sink.taken(1);
    stop.abort();
    await within('the end of finish()', () => refusal(scene, 'an aborted sign-in', signingIn), patience / 2);
  },
  'names the address that ends the session of the provider': async (scene) => {
    const end = offered(scene.signIn.end?.bind(scene.signIn), 'end');
    const { logout } = await signedIn(scene);
    const address = logout === undefined ? null : await end(logout, 'https://backup.example.org/');
    assert.ok(address === null || /^https?:\/\//.test(address), 'it is not an address');
  },
};

/** What the cases with such names are about. */
const needs: readonly (readonly [RegExp, ...Feature[]])[] = [
  [/another issuer|nonce/, 'tokens'],
  [/answered before/, 'codes'],
  [/not verified/, 'verified'],
  [/groups of any form/, 'provider', 'groups'],
  [/person cancels/, 'cancel'],
  [/cannot tell with|is aborted/, 'provider'],
  [/ends the session/, 'end'],
];

const isAbout = (name: string, without: readonly Feature[]) =>
  needs.some(([names, ...features]) => names.test(name) && features.some((one) => without.includes(one)));

/** Conformance cases for a sign-in plugin, with a provider of their own on 127.0.0.1. They may run in parallel. */
export const signInSuite = ({
  plugin,
  configurationFor,
  visit,
  without = [],
}: SignInSuiteOptions): ConformanceCase[] =>
  Object.entries(checks).flatMap(([name, check]) =>
    isAbout(name, without)
      ? []
      : conformanceCase(name, async () => {
          const provider = await ProviderSink.open();
          const dataFolder = await mkdtemp(join(tmpdir(), 'holdfast-sign-in-'));
          try {
            const given = configurationFor(provider);
            const signIn = await plugin.create({
              configuration: plugin.configuration.parse(given),
              log: quiet,
              clock: { now: Date.now },
              dataFolder,
              fetch,
            });
            await signIn.start?.();
            const secrets = secretsOfConfiguration(given, plugin.configuration);
            await check({ signIn, provider, secrets, without, ...(visit && { visit }) });
            await signIn.stop?.();
          } finally {
            await provider.close();
            await rm(dataFolder, { recursive: true, force: true });
          }
        }),
  );
