import { type UseQueryResult, useQuery } from '@tanstack/preact-query';
import { base } from '../base.js';
import { answer, answerWithTag, HoldfastError, ifMatch, makeClient, type Paths } from './client.js';
import { confirmPassword } from './confirmation-request.js';
import { noteSent } from './sent.js';
import { noteVersion } from './server-version.js';
import { suspect } from './service.js';

export type { HoldfastEvent, Schemas } from './client.js';
export { answer, downloadAddress, HoldfastError, randomKey } from './client.js';
export { isError, outdate, outdateRemoved, queryClient, readNow } from './query-client.js';

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
  queryFn: ({ signal }: { signal?: AbortSignal }): Promise<Body<P>> =>
    answer(api.GET(path, { params, signal } as never) as never),
});

/** The same, as a component uses it. */
export const useRead = <P extends Readable>(path: P, ...given: Given<P>): UseQueryResult<Body<P>> =>
  useQuery(read(path, ...given)) as never;

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

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Operation<M extends Method, P extends keyof Paths> = NonNullable<Paths[P][Lowercase<M>]>;
type Writable<M extends Method> = {
  [P in keyof Paths]: Operation<M, P> extends never ? never : P;
}[keyof Paths];
type Content<C> = C extends { content: { 'application/json': infer B } } ? B : undefined;
type Written<O> = (O extends { parameters: infer G } ? Pick<G, keyof G & ('path' | 'query')> : never) &
  (O extends { requestBody: infer B } ? { body: Content<B> } : { body?: unknown }) & {
    etag?: string | undefined;
    /** Of a change that must not be made twice. */
    key?: string;
    signal?: AbortSignal;
  };
type AnswerOf<O> = O extends { responses: infer R } ? Content<R[keyof R & (200 | 201 | 204)]> : never;

/** A change by method and address; with a tag, only of what still has it. */
export function write<M extends Method, P extends Writable<M>>(
  method: M,
  path: P,
  ...[given = {} as never]: object extends Written<Operation<M, P>>
    ? [given?: Written<Operation<M, P>>]
    : [given: Written<Operation<M, P>>]
): Promise<AnswerOf<Operation<M, P>>> {
  const { etag, key, body, signal, ...params } = given as Written<{ parameters: never }>;
  const header = { ...ifMatch(etag), ...(key && { 'idempotency-key': key }) };
  const init = { params: { ...params, header }, body, signal };
  return answer(api.request(method.toLowerCase() as never, path as never, init as never)) as never;
}
