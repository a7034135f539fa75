import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';

export type IdempotencyStatus =
  /** Nothing is made yet. */
  | 'running'
  /** What it makes is there, its answer is not. */
  | 'made'
  | 'answered';

/** One row of an entity that a call made. */
export interface Made {
  entity: string;
  id: number;
}

/**
 * Calls that may be repeated under their `Idempotency-Key` without being done twice. What a call makes is noted in the
 * transaction that makes it.
 */
export const idempotencyKeys = entity(
  'idempotency_key',
  {
    id: col.id(),
    user_id: col.integer.required(),
    /** Method and path of the contract. */
    route: col.text().required(),
    key: col.text().required(),
    /** SHA-256 of address and body: another request must not get this answer. */
    fingerprint: col.text().required(),
    status: col.text<IdempotencyStatus>().required(),
    made: col.json<Made[]>().nullable(),
    /** An answer may hold a secret. */
    answer: sealed('idempotency:{key}', col.text().nullable()),
    /** While the process that works on it lives. */
    lease_until: col.timestamp.required(),
    /** Raised with each taking; a write of a call holds only with its own number. */
    fence: col.integer.default(0),
    expires_at: col.timestamp.required(),
  },
  { unique: [['user_id', 'route', 'key']], indexes: [['expires_at']] },
);

export type IdempotencyKeyRow = RowOf<typeof idempotencyKeys>;
