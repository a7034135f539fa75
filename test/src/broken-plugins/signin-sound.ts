import { createPublicKey, type JsonWebKey, randomUUID, verify } from 'node:crypto';
import {
  definePlugin,
  limitedFetch,
  limitedSignal,
  type SignedIn,
  SignInRefused,
} from '@holdfast/plugin-api';
import { z } from 'zod';

type Claims = Record<string, unknown>;
interface Kept {
  state: string;
  nonce: string;
  fresh: number;
}

/** What a broken relative leaves out, or does differently. */
export interface Lapses {
  state?: boolean;
  nonce?: boolean;
  issuer?: boolean;
  mixedIssuer?: boolean;
  audience?: boolean;
  signature?: boolean;
  verifiedEmail?: boolean;
  cancel?: boolean;
  fresh?: boolean;
  /** Answers a code that it saw before from memory. */
  replays?: boolean;
  /** The same values for each sign-in. */
  constant?: boolean;
  subjectOf?(claims: Claims): string;
  groupsOf?(claims: Claims): string[];
  sentence?: string;
  /** Reports everything as refused. */
  blames?: boolean;
  waits?: boolean;
}

/** A sound plugin for OpenID Connect in few words; its broken relatives have one lapse each. */
export const signInPlugin = (lapses: Lapses = {}) =>
  definePlugin({
    kind: 'sign-in',
    configuration: z.object({ issuer: z.string(), id: z.string(), secret: z.string() }),
    create: ({ configuration: { issuer, id, secret }, fetch }) => {
      const seen = new Map<string, SignedIn>();
      const fail = (text: string): Error => {
        const words = lapses.sentence === 'secret' ? `The secret ${secret} is wrong.` : text;
        return lapses.blames ? new SignInRefused(words) : new Error(words);
      };
      const refuse = (text: string): Error =>
        lapses.sentence === 'blunt' ? new Error(text) : new SignInRefused(text);
      const ask = async (path: string, signal: AbortSignal, request: RequestInit = {}): Promise<Claims> => {
        const end = lapses.waits ? limitedSignal(60_000) : limitedSignal(5_000, signal);
        try {
          const answer = await limitedFetch(fetch)(`${issuer}${path}`, { ...request, signal: end });
          if (answer.status >= 500) throw new Error('it failed');
          return (await answer.json()) as Claims;
        } catch {
          throw fail('The provider cannot be asked.');
        }
      };

      return {
        label: 'a sound provider',
        issuer,
        async begin({ callback, fresh }) {
          const kept: Kept = {
            state: lapses.constant ? 'the-same-state-each-time' : randomUUID(),
            nonce: lapses.constant ? 'the-same-nonce-each-time' : randomUUID(),
            fresh: fresh ? Math.floor(Date.now() / 1000) : 0,
          };
          const query = { client_id: id, redirect_uri: callback, state: kept.state, nonce: kept.nonce };
          return {
            redirect: `${issuer}/authorize?${new URLSearchParams(query)}`,
            kept: JSON.stringify({ ...kept, id: lapses.constant ? 0 : randomUUID() }),
          };
        },
        async finish({ url, kept, signal }) {
          const { state, nonce, fresh } = JSON.parse(kept) as Kept;
          const { searchParams: given, origin, pathname } = new URL(url);
          if (!lapses.state && given.get('state') !== state) throw refuse('The state is another one.');
          if (!lapses.mixedIssuer && given.get('iss') !== issuer) throw refuse('The issuer is another one.');
          if (given.has('error'))
            throw lapses.cancel ? new Error('The provider is broken.') : refuse('It was cancelled.');
          const code = given.get('code') ?? '';
          const known = seen.get(code);
          if (lapses.replays && known) return known;
          const body = new URLSearchParams({ code, redirect_uri: origin + pathname, client_secret: secret });
          const tokens = await ask('/token', signal, { method: 'POST', body });
          if (tokens.error === 'invalid_grant') throw refuse('The code was used already.');
          const claims = await checked(String(tokens.id_token), () => ask('/jwks', signal));
          if (!lapses.issuer && claims.iss !== issuer) throw refuse('The token is of another issuer.');
          if (!lapses.audience && claims.aud !== id) throw refuse('The token is for another client.');
          if (!lapses.nonce && claims.nonce !== nonce) throw refuse('The token has another nonce.');
          if (!lapses.fresh && fresh > Number(claims.auth_time ?? 0) + 30)
            throw refuse('The sign-in is old.');
          const person = personOf(claims);
          seen.set(code, person);
          return person;
        },
      };

      async function checked(token: string, keys: () => Promise<Claims>): Promise<Claims> {
        const [head = '', payload = '', signature = ''] = token.split('.');
        if (payload === '') throw fail('The provider sent no token.');
        const [jwk] = (await keys()).keys as JsonWebKey[];
        const key = createPublicKey({ key: jwk ?? {}, format: 'jwk' });
        const isSigned = verify(
          'sha256',
          Buffer.from(`${head}.${payload}`),
          key,
          Buffer.from(signature, 'base64url'),
        );
        if (!lapses.signature && !isSigned) throw refuse('The token is not signed by the provider.');
        return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
      }

      function personOf(claims: Claims): SignedIn {
        const { sub, preferred_username, name, email, email_verified, groups } = claims;
        const listed = [groups].flat().filter((group) => typeof group === 'string' && group !== '');
        return {
          subject: lapses.subjectOf?.(claims) ?? String(sub),
          userName: String(preferred_username),
          displayName: String(name),
          email: email_verified || lapses.verifiedEmail ? String(email) : null,
          groups: lapses.groupsOf?.(claims) ?? (listed as string[]),
        };
      }
    },
  });
