import { col, entity, type RowOf } from '@holdfast/plugin-api';

/* Entities like those of the service: together they use every type, key and default. */

export const users = entity(
  'user',
  {
    id: col.id(),
    username: col.text().required(),
    email: col.text().nullable(),
    password_hash: col.text().required(),
    is_admin: col.boolean.default(false),
    is_active: col.boolean.default(true),
    must_change_password: col.boolean.default(false),
    last_login: col.timestamp.nullable(),
    created_at: col.timestamp.required(),
  },
  { unique: [['username'], ['email']] },
);
export type UserRow = RowOf<typeof users>;

export const settings = entity(
  'setting',
  { id: col.id(), key: col.text().required(), value: col.json<unknown>().required() },
  { unique: [['key']] },
);

export const archives = entity(
  'archive',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    name: col.text().required(),
    start: col.timestamp.required(),
    comment: col.text().required(),
    original_size: col.integer.nullable(),
  },
  { unique: [['repository_id', 'name']], indexes: [['repository_id', 'start']] },
);

export const jobs = entity(
  'job',
  {
    id: col.id(),
    kind: col.text().required(),
    status: col.text().required(),
    repository_path: col.text().required(),
    parameters: col.json<object>().required(),
    progress: col.json<object>().required(),
    outcome: col.json<object>().nullable(),
    owner: col.text().nullable(),
    lease_until: col.timestamp.nullable(),
    fence: col.integer.default(0),
  },
  {
    indexes: [
      ['status', 'kind'],
      ['kind', 'id'],
    ],
  },
);

export const events = entity(
  'event',
  {
    id: col.id(),
    kind: col.text().required(),
    at: col.timestamp.required(),
    data: col.json<Record<string, unknown>>().required(),
    /** Place in the order of commits; null until it is assigned. */
    seq: col.integer.nullable(),
  },
  { unique: [['seq']], indexes: [['at']] },
);

export type EventRow = RowOf<typeof events>;

/** How many events have a sequence number: at most one row. */
export const eventSequences = entity(
  'event_sequence',
  { id: col.id(), slot: col.integer.default(1), head: col.integer.default(0) },
  { unique: [['slot']] },
);

/** The schema of all of them, for every case that is not about schemas. */
export const suiteSchema = [
  {
    version: 1,
    name: 'first',
    changes: [users, settings, archives, jobs, events, eventSequences].map((created) => ({
      kind: 'create-entity' as const,
      entity: created,
    })),
  },
];
