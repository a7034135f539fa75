import { base } from '../base.js';
import { answer, answerWithTag, HoldfastError, makeClient, type Paths } from './client.js';
import { confirmPassword } from './confirmation-request.js';
import { noteSent } from './sent.js';
import { noteVersion } from './server-version.js';
import { suspect } from './service.js';

/** Null: not signed in. */
interface Tokens {
  valid(): Promise<string | null>;
  next(refused: string): Promise<string | null>;
}
let tokens: Tokens;
/** The hub has the tokens. */
export const takeTokensFrom = (hub: Tokens): void => {
  tokens = hub;
};

let lastToken: string | null = null;

/** The API as the signed-in user. */
export const api = makeClient({
  baseUrl: base,
  token: async () => {
    lastToken = await tokens.valid();
    return lastToken ?? undefined;
  },
  onUnauthorized: async () => lastToken !== null && (await tokens.next(lastToken)) !== null,
  onConfirmationRequired: confirmPassword,
  onWait: ({ status }) => suspectAfter(status),
});

function suspectAfter(status: number): void {
  if (status === 0 || status === 503) void suspect();
}

api.use({
  onRequest({ request }) {
    void noteSent(request);
  },
  onResponse({ response }) {
    noteVersion(response.headers.get('Holdfast-Version'));
    suspectAfter(response.status);
  },
  onError({ error }) {
    if (error instanceof HoldfastError) suspectAfter(error.status);
  },
});

type Body<P extends keyof Paths> = Paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer B } } } };
}
  ? B
  : never;
type Readable = { [P in keyof Paths]: [Body<P>] extends [never] ? never : P }[keyof Paths];
type Parameters<P extends Readable> = Paths[P] extends { get: { parameters: infer G } }
  ? Pick<G, keyof G & ('path' | 'query')>
  : never;
/** Left out if nothing is needed. */
type Given<P extends Readable> =
  object extends Parameters<P> ? [given?: Parameters<P>] : [given: Parameters<P>];

/** A query of one address. Its key is the address and its parameters: events say which addresses to read again. */
export const read = <P extends Readable>(path: P, ...[params]: Given<P>) => ({
  queryKey: [path, params ?? null] as const,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Body<P>> =>
    answer(api.GET(path, { params, signal } as never) as never),
});

type Next<P extends Readable> = Body<P> extends { next_before?: infer N } ? N : never;

/** Its pages, each from where the previous one ends. */
export const readPages = <P extends Readable>(path: P, query: object) => ({
  queryKey: [path, query] as const,
  queryFn: ({ pageParam, signal }: { pageParam: unknown; signal: AbortSignal }): Promise<Body<P>> =>
    read(path, { query: { ...query, ...(pageParam !== null && { before: pageParam }) } } as never).queryFn({
      signal,
    }),
  initialPageParam: null as NonNullable<Next<P>> | null,
  getNextPageParam: (page: Body<P>) => (page as { next_before?: Next<P> }).next_before ?? null,
});

/** The same with its tag, for a change of it. */
export const readTagged = <P extends Readable>(path: P, ...[params]: Given<P>) => ({
  queryKey: [path, params ?? null, 'tagged'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<{ data: Body<P>; etag: string | undefined }> =>
    answerWithTag(api.GET(path, { params, signal } as never) as never) as never,
});
