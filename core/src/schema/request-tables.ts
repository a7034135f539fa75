import { col, entity, type RowOf, sealed } from './entity.js';

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

/**
 * Repositories that are being made, from before the tool begins until they are registered. Only a place where no
 * repository was gets a row: what is found there after its process died was made by that process.
 */
export const repositoryMakings = entity(
  'repository_making',
  {
    id: col.id(),
    path: col.text().required(),
    /** Of the repository. */
    uid: col.text().required(),
    /** While the process that makes it lives. */
    lease_until: col.timestamp.required(),
    /** Raised with each taking. */
    fence: col.integer.default(0),
  },
  { unique: [['path']], indexes: [['lease_until']] },
);

/**
 * How far the events have their place in the sequence that streams go by: at most one row, `slot` being 1. Whoever
 * raises `head` gives the next places, and nobody else can at the same time.
 */
export const eventSequences = entity(
  'event_sequence',
  {
    id: col.id(),
    slot: col.integer.default(1),
    /** Place of the last event. */
    head: col.integer.default(0),
    /** Events up to this place may be gone. */
    removed: col.integer.default(0),
  },
  { unique: [['slot']] },
);

export type IdempotencyKeyRow = RowOf<typeof idempotencyKeys>;
export type RepositoryMakingRow = RowOf<typeof repositoryMakings>;
export type EventSequenceRow = RowOf<typeof eventSequences>;
