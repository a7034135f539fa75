import {
  type Clock,
  isSignInRefused,
  limitedFetch,
  limitedSignal,
  type PluginInstance,
  type SignInCallback,
  type SignInProvider,
  SignInRefused,
} from '@holdfast/plugin-api';
import type { Configuration, CustomFetch } from 'openid-client';
import { personOf } from './person.js';
import { isFinal, sentenceOf } from './problems.js';

export interface OpenIdSettings {
  issuer: string;
  clientId: string;
  clientSecret?: string | undefined;
  label?: string | undefined;
  scopes: string;
  groupsClaim: string;
  timeoutSeconds: number;
}

interface Tools {
  clock: Clock;
  fetch: typeof fetch;
}

/** What one sign-in keeps for its end. */
interface Kept {
  state: string;
  nonce: string;
  verifier: string;
  /** The person must have authenticated after this, in seconds since the epoch; null: whenever. */
  freshSince: number | null;
}

/** How far the clock of the provider may be off, in seconds. */
const clockTolerance = 30;

export function openIdProvider(
  settings: OpenIdSettings,
  { clock, fetch }: Tools,
): PluginInstance<SignInProvider> {
  const configuration = discovered(settings, fetch);
  let problem: string | null = null;
  /** Every failure is one sentence; the next attempt discovers again. */
  const asking = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    try {
      const result = await unlessAborted(signal, work);
      problem = null;
      return result;
    } catch (error) {
      if (isSignInRefused(error)) throw error;
      if (isFinal(error)) throw new SignInRefused(sentenceOf(error), { cause: error });
      configuration.forget();
      problem = sentenceOf(error);
      throw new Error(problem, { cause: error });
    }
  };

  return {
    label: settings.label ?? new URL(settings.issuer).hostname,
    issuer: settings.issuer,
    begin: ({ callback, fresh, signal }) =>
      asking(signal, async () => {
        const client = await import('openid-client');
        const kept: Kept = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
          freshSince: fresh ? Math.floor(clock.now() / 1000) : null,
        };
        const redirect = client.buildAuthorizationUrl(await configuration.renewed(), {
          redirect_uri: callback,
          scope: settings.scopes,
          state: kept.state,
          nonce: kept.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(kept.verifier),
          code_challenge_method: 'S256',
          ...(fresh && { prompt: 'login', max_age: '0' }),
        });
        return { redirect: redirect.href, kept: JSON.stringify(kept) };
      }),
    finish: (answer) =>
      asking(answer.signal, async () => finish(await configuration.get(), settings, answer)),
    async end(idToken, backTo) {
      const client = await import('openid-client');
      const known = await configuration.get().catch(() => null);
      if (known?.serverMetadata().end_session_endpoint === undefined) return null;
      const hints = { id_token_hint: idToken, post_logout_redirect_uri: backTo };
      return client.buildEndSessionUrl(known, hints).href;
    },
    async health() {
      if (problem === null) return null;
      return asking(AbortSignal.timeout(2_000), () => configuration.get()).then(
        () => null,
        () => problem,
      );
    },
  };
}

async function finish(
  configuration: Configuration,
  { issuer, groupsClaim }: OpenIdSettings,
  { url, kept }: Pick<SignInCallback, 'url' | 'kept'>,
) {
  const client = await import('openid-client');
  const { state, nonce, verifier, freshSince } = JSON.parse(kept) as Kept;
  const given = new URL(url).searchParams;
  const server = configuration.serverMetadata();
  if (given.get('state') !== state)
    throw new SignInRefused('The answer of the identity provider belongs to another sign-in: start again.');
  if (given.has('iss') && given.get('iss') !== server.issuer)
    throw new SignInRefused(`The answer comes from another identity provider than ${issuer}: start again.`);
  const tokens = await client.authorizationCodeGrant(configuration, new URL(url), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new SignInRefused('The identity provider sent no ID token.');
  if (freshSince !== null && Number(claims.auth_time ?? 0) < freshSince - clockTolerance)
    throw new SignInRefused('The identity provider did not ask you to sign in again: try it once more.');
  const more = server.userinfo_endpoint
    ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : {};
  const canEnd = server.end_session_endpoint !== undefined && tokens.id_token !== undefined;
  return {
    ...personOf({ ...claims, ...more, sub: claims.sub }, groupsClaim),
    ...(canEnd && { logout: tokens.id_token }),
  };
}

/** Discovers with each sign-in that begins, so that the service starts while the provider is down. */
function discovered(
  { issuer, clientId, clientSecret, timeoutSeconds }: OpenIdSettings,
  fetch: Tools['fetch'],
) {
  let known: Promise<Configuration> | null = null;
  const discover = async () => {
    const client = await import('openid-client');
    const secret = clientSecret ?? '';
    const basic = client.ClientSecretBasic(secret);
    const post = client.ClientSecretPost(secret);
    const authentication: typeof post = (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
    };
    return client.discovery(
      new URL(issuer),
      clientId,
      {},
      clientSecret === undefined ? client.None() : authentication,
      {
        timeout: timeoutSeconds,
        [client.customFetch]: limitedFetch(fetch) as CustomFetch,
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      },
    );
  };
  const forget = () => {
    known = null;
  };
  const get = () => {
    known ??= discover();
    known.catch(forget);
    return known;
  };
  return {
    forget,
    get,
    /** Before the browser is sent to a provider that may be down. */
    renewed: () => {
      forget();
      return get();
    },
  };
}

/** The requests have limits of their own; this also ends the wait when nobody needs the answer. */
async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const end = limitedSignal(60_000, signal);
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(end.reason);
    end.addEventListener('abort', leave, { once: true });
  });
  return Promise.race([work(), aborted]).finally(() => end.removeEventListener('abort', leave));
}
