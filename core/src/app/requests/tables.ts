import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';

export type IdempotencyStatus =
  /** Nothing was created yet. */
  | 'running'
  /** Its rows exist, but there is no answer yet. */
  | 'made'
  | 'answered';

/** A row that a call created. */
export interface Made {
  entity: string;
  id: number;
}

/**
 * Calls that can be repeated with the same `Idempotency-Key` without running twice. The rows that a call
 * creates are recorded in the same transaction.
 */
export const idempotencyKeys = entity(
  'idempotency_key',
  {
    id: col.id(),
    user_id: col.integer.required(),
    /** Method and path of the contract. */
    route: col.text().required(),
    key: col.text().required(),
    /** SHA-256 of URL and body, so that a different request does not get this answer. */
    fingerprint: col.text().required(),
    status: col.text<IdempotencyStatus>().required(),
    made: col.json<Made[]>().nullable(),
    /** Sealed, because an answer may contain a secret. */
    answer: sealed('idempotency:{key}', col.text().nullable()),
    /** Renewed while the process that runs the call is alive. */
    lease_until: col.timestamp.required(),
    /** Raised each time it is taken. A write only takes effect with the current number. */
    fence: col.integer.default(0),
    expires_at: col.timestamp.required(),
  },
  { unique: [['user_id', 'route', 'key']], indexes: [['expires_at']] },
);

export type IdempotencyKeyRow = RowOf<typeof idempotencyKeys>;
