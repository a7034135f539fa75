import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { AuditKind, AuditOutcome } from './audit-entry.rules.js';

/** The audit trail: rows are added and, when they are old, removed from the front; none is ever changed. */
export const auditEntries = entity(
  'audit_entry',
  {
    id: col.id(),
    /** Place in the trail, from 1 on without a gap. */
    seq: col.integer.required(),
    at: col.timestamp.required(),
    kind: col.text<AuditKind>().required(),
    /** Operation of the interface, by its id. */
    action: col.text().required(),
    outcome: col.text<AuditOutcome>().required(),
    /** Of the answer; null where there was no request. */
    status: col.integer.nullable(),
    user_id: col.integer.nullable(),
    /** As it was then. */
    username: col.text().nullable(),
    token_id: col.integer.nullable(),
    /** Of the peer. */
    address: col.text().nullable(),
    request_id: col.text().nullable(),
    method: col.text().nullable(),
    /** Without secrets. */
    url: col.text().nullable(),
    object_kind: col.text().nullable(),
    object_id: col.text().nullable(),
    /** For people. */
    note: col.text().nullable(),
    /** The `hash` of the entry before. */
    previous_hash: col.text().required(),
    /** SHA-256 of all above but the id, in hexadecimal. */
    hash: col.text().required(),
  },
  { unique: [['seq']], indexes: [['username', 'seq'], ['action', 'seq'], ['at']] },
);

/** How far the trail goes, sealed under the secret key: at most one row, `slot` being 1. */
export const auditHeads = entity(
  'audit_head',
  {
    id: col.id(),
    slot: col.integer.default(1),
    /** Raised with each change: what adds to the trail can't pass another one. */
    version: col.integer.default(0),
    state: sealed('audit-head', col.text().required()),
  },
  { unique: [['slot']] },
);

export type AuditEntryRow = RowOf<typeof auditEntries>;

export type AuditHeadRow = RowOf<typeof auditHeads>;
