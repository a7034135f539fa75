import { extendZodWithOpenApi } from '@anatine/zod-openapi';
import { z } from 'zod';

extendZodWithOpenApi(z);

/** Who may call a route. `any`: every signed-in user. `readOnlyTokens`: also tokens that may only read. */
export interface Access {
  who: 'public' | 'any' | 'admin';
  /** Default: true for GET, false otherwise. */
  readOnlyTokens?: boolean;
  /**
   * The query may bring what lets the caller in, so that links work in a browser: an access token as `token`, or a
   * ticket for just this download as `ticket`. Its query holds the fields of `linkQuery`.
   */
  tokenInQuery?: boolean;
  /** Also while the user's password must be changed first. */
  beforePasswordChange?: boolean;
}

/** Objects with an `ETag`. */
export type VersionedObject =
  | 'repository'
  | 'schedule'
  | 'check_schedule'
  | 'notification'
  | 'script'
  | 'attachment'
  | 'connection'
  | 'ssh_key'
  | 'cache_settings'
  | 'user';

/** What a caller may have to be told though it is a secret. A `service_url`: administrators only. */
export type Revealed = 'access_token' | 'ticket' | 'service_url' | 'repository_key';

/** Stands in the `metadata` of every route. */
export interface RouteMetadata {
  access: Access;
  /**
   * Of every POST: what a call makes. What makes a job or a resource takes an `Idempotency-Key`. `nothing` may be
   * repeated as it is, or gives a new session, which nobody may get twice.
   */
  creates?: 'job' | 'resource' | 'nothing';
  /** GET answers its `ETag`; PUT, PATCH and DELETE obey `If-Match`. */
  version?: VersionedObject;
  /** `high`: it starts a program or a job, asks another host, or computes much: how often is bounded. */
  cost?: 'high';
  /** Answers of success hold this secret on purpose. No other answer holds one. */
  reveals?: Revealed;
  /** Group in the documentation. */
  tag: string;
  /** `multipart/form-data` or a download: what the documentation can't see from the schemas. */
  upload?: { part: string };
  download?: { contentType: string };
  /**
   * What the audit trail can't see from the above. `login`: somebody says who they are; `secret`: the answer shows stored
   * secrets to those who may see them. Every other call that may change something, and every download that is not
   * public, is noted anyway.
   */
  audit?: 'login' | 'secret';
}

/** What may let a caller in where `tokenInQuery` is set. */
export const linkQuery = z.object({
  token: z.string().optional().openapi({ description: 'An access token.' }),
  ticket: z.string().optional().openapi({
    description: 'A ticket for this download, good for one use: POST /api/download-tickets.',
  }),
});

/** Milliseconds-precise ISO 8601 in UTC. */
export const timestamp = z
  .string()
  .datetime({ precision: 3 })
  .openapi({ example: '2026-03-01T02:00:00.000Z' });

/** A positive whole number that JavaScript holds exactly. */
export const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** An id in a path or a query: decimal digits without sign, point or leading zero. */
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a positive whole number')
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be at most 9007199254740991')
  .openapi({ type: 'integer', minimum: 1, example: 1 });

/** A whole number in a query. */
export const integerText = (range: { min: number; max: number; fallback: number }) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= range.min && n <= range.max, `must be from ${range.min} to ${range.max}`)
    .optional()
    .transform((n) => n ?? range.fallback)
    .openapi({ type: 'integer', minimum: range.min, maximum: range.max, default: range.fallback });

/** `true`, `false`, `1`, `0` in a query. */
export const booleanText = z
  .enum(['true', 'false', '1', '0'])
  .optional()
  .transform((text) => text === 'true' || text === '1')
  .openapi({ type: 'boolean', default: false });

export interface ErrorBody {
  detail: string;
  errors?: { path: string; message: string }[];
  request_id?: string;
}

/** By name, not by shape: every route has it eleven times, and their declarations would be three times as long. */
export const errorBody: z.ZodType<ErrorBody> = z.object({
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  request_id: z.string().optional(),
});

/** The statuses that every route may answer, by the code table of the interface. */
export const failures = {
  400: errorBody,
  401: errorBody,
  403: errorBody,
  404: errorBody,
  405: errorBody,
  409: errorBody,
  413: errorBody,
  415: errorBody,
  429: errorBody,
  500: errorBody,
  503: errorBody,
} as const;

/** For routes that make something: `headers`. */
export const retryable = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .openapi({
      description:
        'A call that is repeated with the same key within 24 hours is not done again: it gets the first answer, with ' +
        '`Idempotency-Replayed: true`.',
      example: '0b8cf1b6-6f5f-4d1c-a8c5-3f0f3c1d2f6e',
    }),
});

/** For routes that change an object with an `ETag`: `headers`. */
export const conditional = z.object({
  'if-match': z.string().optional().openapi({
    description: 'The `ETag` of the object as it was read: when it was changed since, the answer is 412.',
  }),
});

/** For routes that show an object with an `ETag`: `headers`. */
export const cacheable = z.object({
  'if-none-match': z
    .string()
    .optional()
    .openapi({ description: 'An `ETag`: when nothing has changed since, the answer is 304.' }),
});

/** The status of a change whose `If-Match` does not hold. */
export const outdated = { 412: errorBody } as const;

export const done = z.object({ success: z.literal(true), message: z.string() });

/** Text without NUL or line breaks, trimmed, for names that people read. */
export const nameText = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not hold control characters');
