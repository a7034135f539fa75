import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { AuditKind, AuditOutcome } from './audit-entry.rules.js';

/** The audit trail: rows are added, and old ones removed from the front; none is ever changed. */
export const auditEntries = entity(
  'audit_entry',
  {
    id: col.id(),
    /** Position in the trail, from 1 without gaps. */
    seq: col.integer.required(),
    at: col.timestamp.required(),
    kind: col.text<AuditKind>().required(),
    /** Id of the API operation. */
    action: col.text().required(),
    outcome: col.text<AuditOutcome>().required(),
    /** HTTP status of the answer; null without a request. */
    status: col.integer.nullable(),
    user_id: col.integer.nullable(),
    /** Name at the time of the action. */
    username: col.text().nullable(),
    token_id: col.integer.nullable(),
    /** Address of the peer. */
    address: col.text().nullable(),
    request_id: col.text().nullable(),
    method: col.text().nullable(),
    /** Without secrets. */
    url: col.text().nullable(),
    object_kind: col.text().nullable(),
    object_id: col.text().nullable(),
    /** For display. */
    note: col.text().nullable(),
    /** The `hash` of the previous entry. */
    previous_hash: col.text().required(),
    /** SHA-256 of all columns above except `id`, in hexadecimal. */
    hash: col.text().required(),
  },
  { unique: [['seq']], indexes: [['username', 'seq'], ['action', 'seq'], ['at']] },
);

/** The extent of the trail, sealed under the secret key: at most one row, because `slot` is always 1. */
export const auditHeads = entity(
  'audit_head',
  {
    id: col.id(),
    slot: col.integer.default(1),
    /** Raised with each change, so that appends are serialised. */
    version: col.integer.default(0),
    state: sealed('audit-head', col.text().required()),
  },
  { unique: [['slot']] },
);

export type AuditEntryRow = RowOf<typeof auditEntries>;

export type AuditHeadRow = RowOf<typeof auditHeads>;
