import { createHash } from 'node:crypto';

const auditKinds = ['change', 'login', 'secret', 'download', 'system'] as const;
/** `secret`: stored secrets were shown. `system`: no request, but the service or a command. */
export type AuditKind = (typeof auditKinds)[number];

const auditOutcomes = ['done', 'denied', 'throttled', 'refused', 'failed'] as const;
/** `denied`: no right to it, or a wrong password; `refused`: for another reason, such as invalid input. */
export type AuditOutcome = (typeof auditOutcomes)[number];

/** What is noted of one thing that was done or tried. */
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

/** An entry in its place. */
export interface ChainedEntry extends AuditFacts {
  seq: number;
  previous_hash: string;
  hash: string;
}

/** A place in the chain, by what stands there. */
export interface ChainPlace {
  seq: number;
  hash: string;
}

/** Before the first entry. */
export const chainBegin: ChainPlace = { seq: 0, hash: '0'.repeat(64) };

/** What the service itself, or a command, has to say. */
export const systemFacts = (at: number, action: string, note: string): AuditFacts => ({
  ...{ at, kind: 'system', action, outcome: 'done', status: null, user_id: null, username: null },
  ...{ token_id: null, address: null, request_id: null, method: null, url: null },
  ...{ object_kind: null, object_id: null, note },
});

/** The action by which the service notes that somebody else had changed the trail before. */
export const auditBroken = 'auditBroken';

export function outcomeOf(status: number): AuditOutcome {
  if (status < 400) return 'done';
  if (status === 401 || status === 403) return 'denied';
  if (status === 429) return 'throttled';
  return status < 500 ? 'refused' : 'failed';
}

/** The entry behind a place. */
export function chained(facts: AuditFacts, before: ChainPlace): ChainedEntry {
  const placed = { ...storable(facts), seq: before.seq + 1, previous_hash: before.hash };
  return { ...placed, hash: hashOfEntry(placed) };
}

/** Always the same text for the same content, whatever the storage: a list in a fixed order. */
function hashOfEntry(entry: Omit<ChainedEntry, 'hash'>): string {
  const { seq, at, kind, action, outcome, status, user_id, username, token_id } = entry;
  const { address, request_id, method, url, object_kind, object_id, note, previous_hash } = entry;
  const who = [user_id, username, token_id, address, request_id];
  const what = [kind, action, outcome, status, method, url, object_kind, object_id, note];
  return createHash('sha256')
    .update(JSON.stringify([1, seq, previous_hash, at, ...who, ...what]))
    .digest('hex');
}

/** What is wrong with an entry that should stand behind `before`, in words; null when all is well. */
export function faultBehind(before: ChainPlace, entry: ChainedEntry): string | null {
  if (entry.seq !== before.seq + 1) return 'entries are missing before it';
  if (hashOfEntry(entry) !== entry.hash) return 'it was changed, or moved from another place';
  if (entry.previous_hash !== before.hash) {
    return 'it does not follow the one before: that one was exchanged, or this one was put in';
  }
  return null;
}

const longest = 1_000;

/** Texts as every storage gives them back: of bounded length, no half characters, nothing that a terminal obeys. */
function storable(facts: AuditFacts): AuditFacts {
  const texts = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === 'string' ? bounded(value) : value,
  ]);
  return Object.fromEntries(texts) as AuditFacts;
}

function bounded(text: string): string {
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
  // A half of a pair, also one that the cut left, becomes U+FFFD.
  return Buffer.from(short.replace(/\p{Cc}/gu, '\ufffd')).toString();
}
