import { z } from 'zod';
import { id, idText, timestamp } from '../common.js';
import * as field from './fields.js';

const instant = z.string().datetime({
  offset: true,
  message: 'must be an ISO 8601 time with a time zone, for example 2030-01-31T00:00:00Z',
});
const words = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');

export const auditKind = z.enum(['change', 'login', 'secret', 'download', 'system']).openapi({
  description:
    '`change`: a call that may change something. `secret`: stored secrets were shown. `download`: data was ' +
    'downloaded. `system`: an action of Holdfast itself or of a CLI command.',
});
export const auditOutcome = z.enum(['done', 'denied', 'throttled', 'refused', 'failed']).openapi({
  description:
    '`denied`: wrong password or missing permission. `throttled`: too many attempts. `refused`: rejected for ' +
    'another reason.',
});

export const auditEntryView = z.object({
  seq: id.openapi({ description: 'Position in the trail, counted from 1 without gaps.' }),
  at: timestamp,
  kind: auditKind,
  action: z.string().openapi({
    description: 'Id of the operation in the OpenAPI document.',
    example: 'repositoriesDelete',
  }),
  outcome: auditOutcome,
  status: z.number().int().nullable().openapi({ description: 'HTTP status of the response.', example: 200 }),
  user_id: id.nullable(),
  username: z.string().nullable().openapi({
    description:
      'The name at that time. Null if the caller was not signed in or, for a login, if there is no such user.',
    example: 'admin',
  }),
  token_id: id.nullable(),
  address: z
    .string()
    .nullable()
    .openapi({ description: 'Address of the client, as seen by Holdfast.', example: '192.0.2.7' }),
  request_id: z.string().nullable().openapi({ description: 'The same as in `X-Request-Id` and in the log.' }),
  method: z.string().nullable().openapi({ example: 'DELETE' }),
  url: z.string().nullable().openapi({
    description: 'Path and query, without secrets.',
    example: '/api/repositories/7',
  }),
  object_kind: z.string().nullable().openapi({ example: 'repository' }),
  object_id: z.string().nullable().openapi({ example: '7' }),
  note: z.string().nullable().openapi({ description: 'Human-readable note.' }),
  previous_hash: z.string().openapi({
    description: '`hash` of the previous entry.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  }),
  hash: z.string().openapi({
    description: 'SHA-256 of this entry and `previous_hash`.',
    example: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  }),
});
export type AuditEntryView = z.infer<typeof auditEntryView>;

export const auditFilter = z.object({
  limit: field.limitText({ max: 1000, fallback: 100 }),
  before: idText.optional().openapi({
    type: 'integer',
    description: 'Only entries before this position: `next_before` of the previous page.',
  }),
  user: words.optional().openapi({ description: 'User name.', example: 'admin' }),
  action: words.optional().openapi({
    description: 'Id of an operation in the OpenAPI document.',
    example: 'repositoriesDelete',
  }),
  kind: auditKind.optional(),
  outcome: auditOutcome.optional(),
  since: instant.optional().openapi({
    description: 'Only entries at or after this time.',
    example: '2026-03-01T00:00:00Z',
  }),
  until: instant.optional().openapi({
    description: 'Only entries before this time.',
    example: '2026-04-01T00:00:00Z',
  }),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const auditPage = z.object({
  success: z.literal(true),
  entries: z.array(auditEntryView),
  next_before: id.nullable().openapi({ description: '`before` of the next page; null on the last page.' }),
});
export type AuditPage = z.infer<typeof auditPage>;
