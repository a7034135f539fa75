import { createHash } from 'node:crypto';

const auditKinds = ['change', 'login', 'secret', 'download', 'system'] as const;
/** `secret`: stored secrets were shown. `system`: no request, but the service or a command. */
export type AuditKind = (typeof auditKinds)[number];

const auditOutcomes = ['done', 'denied', 'throttled', 'refused', 'failed'] as const;
/**
 * `denied`: no permission, or a wrong password. `refused`: rejected for another reason, such as invalid
 * input.
 */
export type AuditOutcome = (typeof auditOutcomes)[number];

/** The facts about one action or attempt. */
export interface AuditFacts {
  at: number;
  kind: AuditKind;
  action: string;
  outcome: AuditOutcome;
  status: number | null;
  user_id: number | null;
  username: string | null;
  token_id: number | null;
  address: string | null;
  request_id: string | null;
  method: string | null;
  url: string | null;
  object_kind: string | null;
  object_id: string | null;
  note: string | null;
}

/** An entry in the chain. */
export interface ChainedEntry extends AuditFacts {
  seq: number;
  previous_hash: string;
  hash: string;
}

/** A position in the chain and the hash of its entry. */
export interface ChainPlace {
  seq: number;
  hash: string;
}

/** Before the first entry. */
export const chainBegin: ChainPlace = { seq: 0, hash: '0'.repeat(64) };

/** The facts of an entry by the service itself or by a command. */
export const systemFacts = (at: number, action: string, note: string): AuditFacts => ({
  at,
  kind: 'system',
  action,
  outcome: 'done',
  status: null,
  user_id: null,
  username: null,
  token_id: null,
  address: null,
  request_id: null,
  method: null,
  url: null,
  object_kind: null,
  object_id: null,
  note,
});

/** The action with which the service records that the trail was tampered with. */
export const auditBroken = 'auditBroken';

export function outcomeOf(status: number): AuditOutcome {
  if (status < 400) return 'done';
  if (status === 401 || status === 403) return 'denied';
  if (status === 429) return 'throttled';
  return status < 500 ? 'refused' : 'failed';
}

/** Makes the entry that follows a position. */
export function chained(facts: AuditFacts, before: ChainPlace): ChainedEntry {
  const placed = { ...storable(facts), seq: before.seq + 1, previous_hash: before.hash };
  return { ...placed, hash: hashOfEntry(placed) };
}

/** Hashes a list in a fixed order, so that the same content has the same hash in any storage. */
function hashOfEntry(entry: Omit<ChainedEntry, 'hash'>): string {
  const { seq, at, kind, action, outcome, status, user_id, username, token_id } = entry;
  const { address, request_id, method, url, object_kind, object_id, note, previous_hash } = entry;
  const who = [user_id, username, token_id, address, request_id];
  const what = [kind, action, outcome, status, method, url, object_kind, object_id, note];
  return createHash('sha256')
    .update(JSON.stringify([1, seq, previous_hash, at, ...who, ...what]))
    .digest('hex');
}

/** What is wrong with an entry that should follow `before`, as a clause; null when it is valid. */
export function problemAfter(before: ChainPlace, entry: ChainedEntry): string | null {
  if (entry.seq !== before.seq + 1) return 'entries are missing before it';
  if (hashOfEntry(entry) !== entry.hash) return 'it was changed or moved';
  if (entry.previous_hash !== before.hash) {
    return 'it does not follow the previous entry: that one was replaced, or this one was inserted';
  }
  return null;
}

const longest = 1_000;

/**
 * Texts that every storage returns unchanged: limited in length, without lone surrogates or control
 * characters.
 */
function storable(facts: AuditFacts): AuditFacts {
  const texts = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === 'string' ? bounded(value) : value,
  ]);
  return Object.fromEntries(texts) as AuditFacts;
}

function bounded(text: string): string {
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
  // Lone surrogates, including one left by the cut, become U+FFFD.
  return Buffer.from(short.replace(/\p{Cc}/gu, '\ufffd')).toString();
}
