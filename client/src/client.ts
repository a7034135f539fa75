import createClient, { type Client } from 'openapi-fetch';
import { takesKey } from './operations.js';
import type { Paths } from './schemas.js';
import { type ClientOptions, keyHeader, makeSender } from './sending.js';

/** Calls by method and path: `client.GET('/api/overview')`. Wrap them in `answer` to get the data, or an error. */
export interface HoldfastClient extends Client<Paths> {
  readonly baseUrl: string;
  /** A `fetch` with the token that repeats what may be repeated. Rejects with HoldfastError if there is no answer. */
  send(request: Request): Promise<Response>;
}

/**
 * A client of the service at `baseUrl`. It adds the token, gives each call that creates something an `Idempotency-Key`
 * that stays the same while the call is repeated, and repeats what may be repeated.
 */
export function makeClient(options: ClientOptions = {}): HoldfastClient {
  const baseUrl = (options.baseUrl ?? '').replace(/\/$/, '');
  const send = makeSender(options);
  const client = createClient<Paths>({ baseUrl, fetch: send });
  client.use({
    onRequest({ request, schemaPath }) {
      if (takesKey.has(`${request.method} ${schemaPath}`) && !request.headers.has(keyHeader))
        request.headers.set(keyHeader, randomKey());
    },
  });
  return { ...client, baseUrl, send };
}

/** `crypto.randomUUID` is missing on pages that came over plain HTTP. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
