import type { RouteMetadata } from '@holdfast/contracts';
import type { AppRoute } from '@ts-rest/core';
import type { Schema } from './schema.js';

interface Header {
  /** Of the component. */
  name: string;
  description: string;
  required?: true;
  schema: Schema;
  example: unknown;
}

const text: Schema = { type: 'string' };
const seconds: Schema = { type: 'integer', minimum: 1 };

/** Documented response headers by name. */
const headers = {
  'X-Request-Id': {
    name: 'RequestId',
    description: 'The id of the request, as received or generated: every log line of the request has it.',
    required: true,
    schema: text,
    example: '0b8f2c1e-5d4a-4c57-9a53-7f1f0c2f6f7d',
  },
  'Holdfast-Version': {
    name: 'ServerVersion',
    description: 'The version of the server, like `server_version` of GET /api: it changes with an update.',
    required: true,
    schema: text,
    example: '0.1.0',
  },
  ETag: {
    name: 'EntityTag',
    description:
      'The version of the object, after a change the new one: for `If-Match` of a change, and `If-None-Match`.',
    schema: { ...text, pattern: '^"[\\w-]{33}"$' },
    example: '"Zs3Xc4S0mTqkC1bA-l9Xb0m3DqVw4yT2f"',
  },
  'Idempotency-Replayed': {
    name: 'IdempotencyReplayed',
    description:
      'Only if this is the stored response to the first call with the same `Idempotency-Key`; this call ' +
      'did nothing.',
    schema: { ...text, enum: ['true'] },
    example: 'true',
  },
  'Set-Cookie': {
    name: 'SessionCookie',
    description: 'The cookie of the session: `HttpOnly`, `SameSite=Strict`, and `Secure` over HTTPS.',
    required: true,
    schema: text,
    example: 'holdfast_session=hfs_…; Max-Age=2592000; Path=/api/auth/session; HttpOnly; SameSite=Strict',
  },
  'Retry-After': {
    name: 'RetryAfter',
    description: 'Seconds to wait before the next try, if known.',
    schema: seconds,
    example: 30,
  },
  'WWW-Authenticate': {
    name: 'Authenticate',
    description: 'How to sign in.',
    required: true,
    schema: { ...text, enum: ['Bearer'] },
    example: 'Bearer',
  },
  Allow: {
    name: 'AllowedMethods',
    description: 'The methods that the route supports.',
    required: true,
    schema: text,
    example: 'GET, HEAD, OPTIONS, PUT',
  },
  'Content-Disposition': {
    name: 'FileName',
    description: 'The name of the file; names that are not ASCII are encoded as in RFC 6266.',
    required: true,
    schema: text,
    example: 'attachment; filename="notes.txt"',
  },
} satisfies Record<string, Header>;

type HeaderName = keyof typeof headers;

/** `components.headers`. */
export const headerComponents = (): Record<string, object> =>
  Object.fromEntries(Object.values<Header>(headers).map(({ name, ...header }) => [name, header]));

const referring = (names: readonly HeaderName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${headers[name].name}` }]));

const ofEvery = ['X-Request-Id', 'Holdfast-Version'] as const;

const ofFailures: Partial<Record<string, HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  400: ['Idempotency-Replayed'],
  403: ['Idempotency-Replayed'],
  404: ['Idempotency-Replayed'],
  409: ['Idempotency-Replayed', 'Retry-After'],
};

/** Of an error, which all operations answer alike. */
export const failureHeaders = (status: string): Record<string, object> =>
  status === '431' ? {} : referring([...ofEvery, ...(ofFailures[status] ?? [])]);

/** Headers of a successful response. */
export function successHeaders({ method, path, metadata }: AppRoute): Record<string, object> {
  const { access, version, tagged, creates, download } = metadata as RouteMetadata;
  // The event stream and assets of the documentation are not files to be saved.
  const isFile = download && download.contentType !== 'text/event-stream' && access.who !== 'public';
  return referring([
    ...ofEvery,
    ...((version !== undefined && method !== 'DELETE') || tagged ? (['ETag'] as const) : []),
    ...(creates === 'job' || creates === 'resource' ? (['Idempotency-Replayed'] as const) : []),
    ...(path.startsWith('/api/auth/session') ? (['Set-Cookie'] as const) : []),
    ...(isFile ? (['Content-Disposition'] as const) : []),
  ]);
}
