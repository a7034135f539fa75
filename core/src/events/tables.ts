import { col, entity, type RowOf } from '@holdfast/plugin-api';

/** What happened, in order; written in the transaction of the change that it reports. */
export const events = entity(
  'event',
  {
    id: col.id(),
    kind: col.text().required(),
    at: col.timestamp.required(),
    repository_id: col.integer.nullable(),
    job_id: col.integer.nullable(),
    data: col.json<Record<string, unknown>>().required(),
    /** Place in the sequence that streams go by, in the order of commits; null until it is given. */
    seq: col.integer.nullable(),
  },
  { unique: [['seq']], indexes: [['at'], ['kind', 'at']] },
);

export type EventRow = RowOf<typeof events>;

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

export type EventSequenceRow = RowOf<typeof eventSequences>;
