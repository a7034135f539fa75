import { createHash, generateKeyPair, randomUUID, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { Sink, type SinkAnswer, type SinkRequest } from '../notifier/sink.js';

export interface Person {
  subject: string;
  userName: string;
  displayName: string;
  email: string;
  groups: readonly string[];
}

/** What is wrong with an answer of the provider. */
export interface Mischief {
  emailVerified?: boolean;
  /** Of the ID token. */
  issuer?: string;
  nonce?: string;
  audience?: string;
  /** When the person authenticated, in seconds since the epoch; null: it does not say. */
  authTime?: number | null;
  /** Replaces the claims of the groups. */
  groups?: unknown;
  /** The ID token is signed with another key. */
  forged?: boolean;
  /** The person cancels. */
  cancelled?: boolean;
}

interface Grant {
  person: Person;
  mischief: Mischief;
  asked: URLSearchParams;
}

const client = { id: 'holdfast', secret: 'secret-of-the-client-4711' };
const seconds = () => Math.floor(Date.now() / 1000);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const newKeys = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
/** Its own keys and those of a forger. Made once, in the background: it may take seconds, in which nothing answers. */
let made: ReturnType<typeof makeKeys> | undefined;
const makeKeys = () => Promise.all([newKeys(), newKeys()]);
type Keys = Awaited<ReturnType<typeof makeKeys>>;

/**
 * A small provider of OAuth 2.0 and OpenID Connect on 127.0.0.1, which can misbehave as wanted. Its pages are not
 * shown: `visit` plays the person.
 */
export class ProviderSink {
  readonly client = client;
  readonly #codes = new Map<string, Grant>();
  readonly #tokens = new Map<string, Grant>();
  readonly #keys: Keys;

  private constructor(
    readonly sink: Sink,
    keys: Keys,
  ) {
    this.#keys = keys;
    this.recover();
  }

  static async open(): Promise<ProviderSink> {
    made ??= makeKeys();
    return new ProviderSink(await Sink.open(), await made);
  }

  get issuer(): string {
    return `http://${this.sink.host}`;
  }

  /** Answers everything in another way, until `recover`. */
  fail(answer: SinkAnswer): void {
    this.sink.answer = answer;
  }

  recover(): void {
    this.sink.answer = (response, request) => {
      const body = this.#answerTo(request);
      const code = body === null ? 404 : 'error' in body ? 400 : 200;
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    };
  }

  close(): Promise<void> {
    return this.sink.close();
  }

  /** The address that the browser of this person comes back with. */
  visit(redirect: string, person: Person, mischief: Mischief = {}): string {
    const asked = new URL(redirect).searchParams;
    const back = new URL(asked.get('redirect_uri') ?? '');
    const state = asked.get('state');
    if (state !== null) back.searchParams.set('state', state);
    back.searchParams.set('iss', this.issuer);
    const code = randomUUID();
    if (asked.get('client_id') !== client.id) back.searchParams.set('error', 'unauthorized_client');
    else if (mischief.cancelled) back.searchParams.set('error', 'access_denied');
    else back.searchParams.set('code', code);
    this.#codes.set(code, { person, mischief, asked });
    return back.href;
  }

  #answerTo(request: SinkRequest): object | null {
    const { pathname } = new URL(request.path, this.issuer);
    if (pathname === '/.well-known/openid-configuration') return this.#metadata();
    if (pathname === '/jwks') return { keys: [this.#publicKey()] };
    if (pathname === '/token') return this.#exchange(request);
    if (pathname !== '/userinfo') return null;
    const grant = this.#tokens.get((request.headers.authorization ?? '').replace(/^\w+ /, ''));
    return grant ? claimsOf(grant) : { error: 'invalid_token' };
  }

  #metadata() {
    const at = (path: string) => `${this.issuer}/${path}`;
    return {
      issuer: this.issuer,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      jwks_uri: at('jwks'),
      userinfo_endpoint: at('userinfo'),
      end_session_endpoint: at('logout'),
      authorization_response_iss_parameter_supported: true,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  #publicKey() {
    return { ...this.#keys[0].publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256' };
  }

  /** As providers do: each code works once, with the secret, the address and the verifier that belong to it. */
  #exchange({ body, headers }: SinkRequest): object {
    const form = new URLSearchParams(body);
    const grant = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    if (secretIn(form, headers.authorization) !== client.secret) return { error: 'invalid_client' };
    if (!grant || form.get('redirect_uri') !== grant.asked.get('redirect_uri'))
      return { error: 'invalid_grant' };
    const challenge = grant.asked.get('code_challenge');
    const verified = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge !== null && challenge !== verified) return { error: 'invalid_grant' };
    const access_token = randomUUID();
    this.#tokens.set(access_token, grant);
    return { access_token, token_type: 'Bearer', expires_in: 600, id_token: this.#idToken(grant) };
  }

  #idToken(grant: Grant): string {
    const { mischief, asked } = grant;
    const authTime = mischief.authTime === undefined ? seconds() : mischief.authTime;
    const nonce = mischief.nonce ?? asked.get('nonce');
    const claims = {
      ...claimsOf(grant),
      iss: mischief.issuer ?? this.issuer,
      aud: mischief.audience ?? client.id,
      iat: seconds(),
      exp: seconds() + 600,
      ...(nonce !== null && { nonce }),
      ...(authTime !== null && { auth_time: authTime }),
    };
    const text = `${part({ alg: 'RS256', kid: '1' })}.${part(claims)}`;
    const { privateKey } = this.#keys[mischief.forged ? 1 : 0];
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  }
}

const claimsOf = ({ person, mischief }: Grant) => ({
  sub: person.subject,
  preferred_username: person.userName,
  name: person.displayName,
  email: person.email,
  email_verified: mischief.emailVerified ?? true,
  groups: 'groups' in mischief ? mischief.groups : person.groups,
});

function secretIn(form: URLSearchParams, authorization = ''): string | null {
  const [, basic] = /^Basic (.+)$/.exec(authorization) ?? [];
  if (basic === undefined) return form.get('client_secret');
  return decodeURIComponent(Buffer.from(basic, 'base64').toString().split(':')[1] ?? '');
}
