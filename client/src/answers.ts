import { errorOf, HoldfastError, noAnswer } from './errors.js';

/** What a call of the client resolves to. */
export interface Reply<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

export interface TaggedAnswer<Data> {
  data: Data;
  /** The version of what was read, for `ifMatch`; undefined if it has none. */
  etag: string | undefined;
}

/**
 * The data of an answer.
 * @throws HoldfastError for every other answer, and for none
 * @throws the reason of the caller's signal if that has aborted
 */
export async function answer<Data>(call: Promise<Reply<Data>>): Promise<Data> {
  return (await answerWithTag(call)).data;
}

/** Like `answer`, with the version of what was read. */
export async function answerWithTag<Data>(call: Promise<Reply<Data>>): Promise<TaggedAnswer<Data>> {
  const { data, error, response } = await call.catch(rethrow);
  if (!response.ok) throw errorOf(response, error);
  return { data: data as Data, etag: response.headers.get('ETag') ?? undefined };
}

/**
 * The header of a write that succeeds only if nobody has changed the object since it was read with this tag (otherwise
 * `HoldfastError` 412): `params: { path, header: ifMatch(etag) }`. Give the tag of what the person saw, not the newest.
 */
export function ifMatch(etag: string | undefined): { 'if-match'?: string } {
  // Proxies that compress answers mark their tags as weak, and weak tags never match.
  return etag === undefined ? {} : { 'if-match': etag.replace(/^W\//, '') };
}

/** `fetch` and the readers of a body throw a TypeError when a connection breaks, and a SyntaxError for no JSON. */
function rethrow(error: unknown): never {
  if (error instanceof HoldfastError) throw error;
  throw error instanceof TypeError || error instanceof SyntaxError ? noAnswer(error) : error;
}
