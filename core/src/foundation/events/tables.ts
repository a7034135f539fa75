import { col, entity, type RowOf } from '@holdfast/plugin-api';

/** Events, written in the transaction of the change that they report. */
export const events = entity(
  'event',
  {
    id: col.id(),
    kind: col.text().required(),
    at: col.timestamp.required(),
    repository_id: col.integer.nullable(),
    job_id: col.integer.nullable(),
    data: col.json<Record<string, unknown>>().required(),
    /** Sequence number for streams, in the order of commits; null until it is assigned. */
    seq: col.integer.nullable(),
  },
  { unique: [['seq']], indexes: [['at'], ['kind', 'at']] },
);

export type EventRow = RowOf<typeof events>;

/**
 * The sequence of events: at most one row, with `slot` 1. The transaction that raises `head` assigns the next
 * numbers; no other one can at the same time.
 */
export const eventSequences = entity(
  'event_sequence',
  {
    id: col.id(),
    slot: col.integer.default(1),
    /** Sequence number of the last event. */
    head: col.integer.default(0),
    /** Events up to this number may be gone. */
    removed: col.integer.default(0),
  },
  { unique: [['slot']] },
);

export type EventSequenceRow = RowOf<typeof eventSequences>;
