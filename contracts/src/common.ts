import { extendZodWithOpenApi } from '@anatine/zod-openapi';
import { z } from 'zod';

extendZodWithOpenApi(z);

/** Who may call a route. `any`: every signed-in user. `readOnlyTokens`: read-only tokens are accepted too. */
export interface Access {
  who: 'public' | 'any' | 'admin';
  /** Default: true for GET, false otherwise. */
  readOnlyTokens?: boolean;
  /** Tokens with `summary_only` are accepted too. They open nothing else. */
  summaryTokens?: boolean;
  /**
   * The caller may authenticate in the query, so that links work in a browser: with an access token as
   * `token`, or with a ticket for this download as `ticket`. The route's query includes the fields of
   * `linkQuery`.
   */
  tokenInQuery?: boolean;
  /** On a public route: a caller with a valid token gets a longer answer. Any other token counts as none. */
  tokenOptional?: boolean;
  /** Allowed while the user still has to change the password or to set up a second factor. */
  beforePasswordChange?: boolean;
  /**
   * A browser session has to confirm its password first (POST /api/auth/confirm). `sometimes`: the use case
   * decides, and the description says when.
   */
  confirm?: 'always' | 'sometimes';
  /** With `sometimes`: it has to if the body gives one of these fields. */
  confirmFor?: readonly string[];
  /**
   * Reads the cookie of a browser session, so only the service's own pages may call it, with the header
   * `X-Holdfast-Session`.
   */
  cookie?: boolean;
}

/** Objects with an `ETag`. */
export type VersionedObject =
  | 'repository'
  | 'schedule'
  | 'check_schedule'
  | 'drill_schedule'
  | 'notification'
  | 'script'
  | 'source_set'
  | 'attachment'
  | 'connection'
  | 'incident'
  | 'ssh_key'
  | 'cache_settings'
  | 'schedule_pause'
  | 'self_backup'
  | 'user';

/**
 * Secrets that some responses contain on purpose. `second_factor`: what makes codes, and recovery codes. `service_url`: for administrators only. `stored_secrets`: passphrases
 * and service URLs. `recovery_sheet`: all that opens the repositories.
 */
export type Revealed =
  | 'access_token'
  | 'ticket'
  | 'service_url'
  | 'repository_key'
  | 'second_factor'
  | 'stored_secrets'
  | 'recovery_sheet';

/** The `metadata` of every route. */
export interface RouteMetadata {
  access: Access;
  /** Another path with the same parameters, for programs that expect the names of similar software. */
  alias?: string;
  /**
   * For every POST: what a call creates. A call that creates a job or a resource accepts an
   * `Idempotency-Key`. `nothing`: repeating the call is harmless, or it issues a session, which must never be
   * replayed.
   */
  creates?: 'job' | 'resource' | 'nothing';
  /** GET returns its `ETag`; PUT, PATCH and DELETE honour `If-Match`. */
  version?: VersionedObject;
  /** This GET returns an `ETag` of its content, though it shows no object that can be changed. */
  tagged?: boolean;
  /**
   * `high`: starts a program or a job, contacts another host, or is CPU-heavy. Such calls are rate limited.
   */
  cost?: 'high';
  /** With this parameter, in the query or the body, the cost is `high` too, and limited users need this right. */
  costly?: { parameter: string; right: 'restore' };
  /** Successful responses contain this secret on purpose. No other response contains one. */
  reveals?: Revealed;
  /** Group in the documentation. */
  tag: string;
  /** `multipart/form-data` and downloads: the documentation can't derive them from the schemas. */
  upload?: { part: string };
  download?: { contentType: string };
  /**
   * What the audit trail can't derive from the fields above. `login`: a sign-in attempt; `secret`: the
   * response shows stored secrets to callers who may see them; `failures`: a success changes nothing that
   * concerns anybody, so only failures of callers with a cookie are recorded. All other calls that may change something, and
   * all downloads that are not public, are recorded anyway.
   */
  audit?: 'login' | 'secret' | 'failures';
}

/** Of the routes that answer a right password, code or passkey with a session. */
export const opensSession = {
  access: { who: 'public' },
  tag: 'Authentication and users',
  creates: 'nothing',
  audit: 'login',
  reveals: 'access_token',
} satisfies RouteMetadata;

/** Query parameters for authentication on routes with `tokenInQuery`. */
export const linkQuery = z.object({
  token: z.string().optional().openapi({ description: 'An access token.' }),
  ticket: z.string().optional().openapi({
    description: 'A single-use ticket for this download, from POST /api/download-tickets.',
  }),
});

/** ISO 8601 in UTC, with milliseconds. */
export const timestamp = z
  .string()
  .datetime({ precision: 3 })
  .openapi({ example: '2026-03-01T02:00:00.000Z' });

/** A positive whole number that JavaScript holds exactly. */
export const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** An id in a path or a query: decimal digits without a sign, a point or leading zeros. */
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
  code?: string;
  params?: Record<string, string | number | string[]>;
  errors?: { path: string; message: string }[];
  second_factor?: {
    challenge: string;
    methods: ('totp' | 'passkey' | 'recovery_code')[];
    expires_in: number;
  };
  request_id?: string;
}

/**
 * Typed by name, not by shape: every route uses it eleven times, and the emitted declarations would triple in
 * size.
 */
export const errorBody: z.ZodType<ErrorBody> = z.object({
  detail: z.string(),
  code: z.string().optional().openapi({
    description: 'Stable code of the message in `detail`: see docs/developers/messages.md.',
  }),
  params: z
    .record(z.union([z.string(), z.number(), z.array(z.string())]))
    .optional()
    .openapi({ description: 'The values in `detail`, by name.' }),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  second_factor: z
    .object({
      challenge: z.string(),
      methods: z.array(z.enum(['totp', 'passkey', 'recovery_code'])),
      expires_in: z.number().int().openapi({ description: 'Seconds.' }),
    })
    .optional()
    .openapi({ description: 'With 401 `second_factor_required`: for the second step of the sign-in.' }),
  request_id: z.string().optional(),
});

/** The error statuses that every route may return. */
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

/** `headers` of routes that create something. */
export const retryable = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .openapi({
      description:
        'A repeated call with the same key within 24 hours is not executed again. It gets the first response, ' +
        'with `Idempotency-Replayed: true`.',
      example: '0b8cf1b6-6f5f-4d1c-a8c5-3f0f3c1d2f6e',
    }),
});

/** `headers` of routes that change an object with an `ETag`. */
export const conditional = z.object({
  'if-match': z
    .string()
    .optional()
    .openapi({
      description:
        'The `ETag` that was returned when the object was read. If the object has changed since, the response ' +
        'is 412.',
    }),
});

/** `headers` of routes that return an object with an `ETag`. */
export const cacheable = z.object({
  'if-none-match': z
    .string()
    .optional()
    .openapi({ description: 'An `ETag`. If the object has not changed since, the response is 304.' }),
});

/** The status of a change whose `If-Match` does not match. */
export const outdated = { 412: errorBody } as const;

/** A sentence for a user. */
export const message = z.string().openapi({ example: 'Done.' });

export const done = z.object({ success: z.literal(true), message });

/** A trimmed display name without control characters. */
export const nameText = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');
