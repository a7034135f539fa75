import type { Grant } from '@holdfast/contracts';
import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { Credential } from '../ports/passkey-tool.js';

/** Times are epoch milliseconds. */
export interface Passkey extends Credential {
  /** Address of the console at which it was added. It answers there only. */
  origin: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

export const users = entity(
  'user',
  {
    id: col.id(),
    username: col.text().required(),
    email: col.text().nullable(),
    password_hash: col.text().required(),
    is_admin: col.boolean.default(false),
    /** Null: not limited. */
    grants: col.json<Grant[]>().nullable(),
    restore_paths: col.json<string[]>().default([]),
    is_active: col.boolean.default(true),
    must_change_password: col.boolean.default(false),
    /** Null: no authenticator app. */
    totp_secret: sealed('totp:{id}', col.text().nullable()),
    /** The time step of the last accepted code: neither it nor an older one is accepted again. */
    totp_step: col.integer.default(0),
    /** SHA-256 of each code that is left. */
    recovery_codes: col.json<string[]>().default([]),
    passkeys: col.json<Passkey[]>().default([]),
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
    summary_only: col.boolean.default(false),
    /** Null: all that its user may do. */
    grants: col.json<Grant[]>().nullable(),
    created_at: col.timestamp.required(),
    expires_at: col.timestamp.nullable(),
    last_used_at: col.timestamp.nullable(),
    /** The browser session that it belongs to: it ends with it. */
    session_id: col.integer.nullable(),
  },
  { unique: [['hash']], indexes: [['user_id'], ['expires_at'], ['session_id']] },
);

/** Sessions of browsers. Each has one refresh token at a time, which is replaced when it is used. */
export const browserSessions = entity(
  'browser_session',
  {
    id: col.id(),
    user_id: col.integer.required(),
    /** SHA-256 of the part of the refresh token that stays the same. */
    handle_hash: col.text().required(),
    /** SHA-256 of the refresh token, and of the one that it replaced. */
    current_hash: col.text().required(),
    previous_hash: col.text().nullable(),
    /** With the previous refresh token, the current one can be made again. */
    salt: col.text().required(),
    rotated_at: col.timestamp.required(),
    /** An access token was used since then, so the browser has received the current refresh token. */
    received: col.boolean.default(false),
    remember: col.boolean.required(),
    /** Until when the password counts as confirmed; 0: not confirmed. */
    confirmed_until: col.timestamp.default(0),
    created_at: col.timestamp.required(),
    expires_at: col.timestamp.required(),
    /** Id of the plugin that signed the user in; null: Holdfast itself did. */
    provider: col.text().nullable(),
    /** With it, the plugin can end the session of the provider. */
    provider_logout: sealed('provider-logout:{handle_hash}', col.text().nullable()),
  },
  { unique: [['handle_hash']], indexes: [['expires_at'], ['user_id']] },
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

/** Users as sign-in plugins know them. */
export const identities = entity(
  'identity',
  {
    id: col.id(),
    user_id: col.integer.required(),
    /** Id of the plugin. */
    provider: col.text().required(),
    issuer: col.text().required(),
    subject: col.text().required(),
    /** The name that the provider gives; only shown. */
    name: col.text().required(),
    created_at: col.timestamp.required(),
    last_login: col.timestamp.nullable(),
  },
  { unique: [['provider', 'issuer', 'subject']], indexes: [['user_id']] },
);

/** Steps of sign-ins and of setting up second factors that wait for the next one. Each is used once. */
export const challenges = entity(
  'sign_in_challenge',
  {
    id: col.id(),
    hash: col.text().required(),
    kind: col.text<ChallengeKind>().required(),
    user_id: col.integer.nullable(),
    data: sealed('sign-in:{hash}', col.text().required()),
    /** Wrong answers. */
    failures: col.integer.default(0),
    expires_at: col.timestamp.required(),
  },
  { unique: [['hash']], indexes: [['expires_at'], ['user_id']] },
);

export type ChallengeKind =
  | 'second-factor'
  | 'totp-setup'
  | 'passkey-setup'
  | 'passkey'
  | 'used'
  | 'provider';

export type UserRow = RowOf<typeof users>;

export type TokenRow = RowOf<typeof tokens>;

export type BrowserSessionRow = RowOf<typeof browserSessions>;
