import type { AuditEntryView, AuditFilter, AuditPage } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { users } from '../accounts/tables.js';
import { AppError, isoTime, say, useCasesOf } from '../kernel/index.js';
import { type AuditFacts, type ChainPlace, problemAfter, systemFacts } from './audit-entry.rules.js';
import { readAuditHead, writeAuditHead } from './audit-head.js';
import { trailTransaction } from './audit-trail.js';
import type { AuditNeeds } from './needs.js';
import { type AuditEntryRow, auditEntries } from './tables.js';

export const auditUseCases = (dependencies: AuditNeeds) =>
  useCasesOf(dependencies, {
    listEntries,
    noteRequest,
  });

/** Newest first. `next_before` is null at the end. */
export async function listEntries(
  { storage }: Pick<AuditNeeds, 'storage'>,
  { limit, before, user, action, kind, outcome, since, until }: AuditFilter,
): Promise<AuditPage> {
  const rows = await storage.find(auditEntries, {
    where: {
      ...(before === undefined ? {} : { seq: { lt: before } }),
      ...(user === undefined ? {} : { username: user }),
      ...(action === undefined ? {} : { action }),
      ...(kind === undefined ? {} : { kind }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(since === undefined && until === undefined ? {} : { at: { ...from(since), ...to(until) } }),
    },
    order: [['seq', 'desc']],
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const next_before = rows.length > limit ? (shown.at(-1)?.seq ?? null) : null;
  return { success: true, entries: shown.map(auditView), next_before };
}

const from = (time: string | undefined) => (time === undefined ? {} : { gte: Date.parse(time) });
const to = (time: string | undefined) => (time === undefined ? {} : { lt: Date.parse(time) });

/**
 * Records a request. `claimed` is the user name given at a login. It is recorded only when such a user
 * exists, because people sometimes type their password there. Resolves once the entry is stored; never
 * rejects.
 */
export async function noteRequest(
  { storage, auditTrail, log }: Pick<AuditNeeds, 'storage' | 'auditTrail' | 'log'>,
  facts: AuditFacts,
  claimed?: string,
): Promise<void> {
  if (claimed === undefined || facts.username !== null) return auditTrail.append(facts);
  let known: { user_id: number; username: string } | undefined;
  try {
    const [user] = await storage.find(users, { where: { username: claimed }, limit: 1 });
    known = user && { user_id: user.id, username: user.username };
  } catch (error) {
    log.warn('could not look up the user of a login', { error });
  }
  return auditTrail.append({ ...facts, ...known });
}

type Needs = Pick<AuditNeeds, 'storage' | 'clock' | 'secrets' | 'auditTrail' | 'settings'>;

const atOnce = 500;
const day = 86_400_000;

/**
 * Removes old entries from the front of the trail. The last removed entry is sealed as the start of the
 * trail, so that the rest can be verified. Entries that were tampered with are not removed, because they are
 * evidence.
 */
export async function sweepAudit({
  storage,
  clock,
  secrets,
  auditTrail,
  settings: { auditRetentionDays },
}: Needs): Promise<void> {
  if (auditRetentionDays === 0) return;
  const before = clock.now() - auditRetentionDays * day;
  let last: ChainPlace | null = null;
  for (;;) {
    const removed = await trailTransaction(storage, (session) => removeSome(session, { secrets, before }));
    if (removed === null) break;
    last = removed;
  }
  if (last === null) return;
  const note = `Entries up to ${last.seq}, older than ${auditRetentionDays} days, were removed.`;
  await auditTrail.append(systemFacts(clock.now(), 'auditRemoveOld', note));
}

/** The last removed position; null when nothing is old enough. The newest entry is always kept. */
async function removeSome(
  session: StorageSession,
  { secrets, before }: Pick<Needs, 'secrets'> & { before: number },
): Promise<ChainPlace | null> {
  const { row, state } = await readAuditHead(session, secrets);
  if (!row || !state) return null;
  const rows = await session.find(auditEntries, {
    where: { seq: { gt: state.removed.seq, lt: state.last.seq } },
    order: [['seq', 'asc']],
    limit: atOnce,
  });
  const young = rows.findIndex(({ at }) => at >= before);
  const old = young < 0 ? rows : rows.slice(0, young);
  let place = state.removed;
  for (const entry of old) {
    const problem = problemAfter(place, entry);
    if (problem) throw changed(entry.seq, problem);
    place = { seq: entry.seq, hash: entry.hash };
  }
  if (old.length === 0) return null;
  await writeAuditHead(session, { row, state: { ...state, removed: place }, secrets });
  await session.remove(auditEntries, { seq: { in: old.map(({ seq }) => seq) } });
  return place;
}

const changed = (seq: number, problem: string) =>
  new AppError(
    'internal',
    say`audit_entry_invalid: Entry ${{ entry: seq }} of the audit trail is invalid: ${{ problem }}. It is kept as evidence.`,
  );

const auditView = ({ id: _, at, ...row }: AuditEntryRow): AuditEntryView => ({
  ...row,
  at: isoTime(at),
});
