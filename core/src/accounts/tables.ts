import { col, entity, type RowOf } from '@holdfast/plugin-api';

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

/** Access tokens, stored as SHA-256 of the token. `session`: from a login. `api`: created by a user. */
export const tokens = entity(
  'token',
  {
    id: col.id(),
    user_id: col.integer.required(),
    hash: col.text().required(),
    kind: col.text<'session' | 'api'>().required(),
    name: col.text().nullable(),
    read_only: col.boolean.default(false),
    created_at: col.timestamp.required(),
    expires_at: col.timestamp.nullable(),
    last_used_at: col.timestamp.nullable(),
  },
  { unique: [['hash']], indexes: [['user_id'], ['expires_at']] },
);

/**
 * Single-use permissions for one download each, stored as SHA-256 of ticket and object. Removed when used.
 */
export const downloadTickets = entity(
  'download_ticket',
  {
    id: col.id(),
    hash: col.text().required(),
    object_hash: col.text().required(),
    user_id: col.integer.required(),
    /** The access token that asked for it: the ticket ends with it. */
    token_id: col.integer.required(),
    expires_at: col.timestamp.required(),
    /** Paths inside an archive that the ticket was issued for; null: they are in the link. */
    file_paths: col.json<string[]>().nullable(),
  },
  { unique: [['hash']], indexes: [['expires_at'], ['user_id']] },
);

export type UserRow = RowOf<typeof users>;

export type TokenRow = RowOf<typeof tokens>;
