import type { AuditEntryView, AuditFilter, AuditPage } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { users } from '../accounts/tables.js';
import { AppError, isoTime } from '../kernel/index.js';
import { type AuditFacts, type ChainPlace, faultBehind, systemFacts } from './audit-entry.rules.js';
import { readAuditHead, writeAuditHead } from './audit-head.js';
import { trailTransaction } from './audit-trail.js';
import type { AuditNeeds } from './needs.js';
import { type AuditEntryRow, auditEntries } from './tables.js';

export const auditUseCases = (dependencies: AuditNeeds) => ({
  listEntries: listEntries(dependencies),
  noteRequest: noteRequest(dependencies),
});

/** Newest first. `next_before` is null at the end. */
export const listEntries =
  ({ storage }: Pick<AuditNeeds, 'storage'>) =>
  async ({ limit, before, user, action, kind, outcome, since, until }: AuditFilter): Promise<AuditPage> => {
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
  };

const from = (time: string | undefined) => (time === undefined ? {} : { gte: Date.parse(time) });
const to = (time: string | undefined) => (time === undefined ? {} : { lt: Date.parse(time) });

/**
 * Notes a request. `claimed` is the name that somebody gave at a login: it is noted when there is such a user only, as
 * people sometimes type a password there. Resolves when the entry is stored; never rejects.
 */
export const noteRequest =
  ({ storage, auditTrail, log }: Pick<AuditNeeds, 'storage' | 'auditTrail' | 'log'>) =>
  async (facts: AuditFacts, claimed?: string): Promise<void> => {
    if (claimed === undefined || facts.username !== null) return auditTrail.append(facts);
    let known: { user_id: number; username: string } | undefined;
    try {
      const [user] = await storage.find(users, { where: { username: claimed }, limit: 1 });
      known = user && { user_id: user.id, username: user.username };
    } catch (error) {
      log.warn('it could not be found out who logs in', { error });
    }
    return auditTrail.append({ ...facts, ...known });
  };

type Needs = Pick<AuditNeeds, 'storage' | 'clock' | 'secrets' | 'auditTrail' | 'settings'>;

const atOnce = 500;
const day = 86_400_000;

/**
 * Removes old entries from the front of the trail. The last one that went is sealed as the place where the trail
 * begins, so that what is left can be verified. What was changed by somebody is not removed: it is evidence.
 */
export const sweepAudit =
  ({ storage, clock, secrets, auditTrail, settings: { auditRetentionDays } }: Needs) =>
  async (): Promise<void> => {
    if (auditRetentionDays === 0) return;
    const before = clock.now() - auditRetentionDays * day;
    let last: ChainPlace | null = null;
    for (;;) {
      const removed = await trailTransaction(storage, (session) => removeSome(session, { secrets, before }));
      if (removed === null) break;
      last = removed;
    }
    if (last === null) return;
    const note = `The entries up to ${last.seq}, older than ${auditRetentionDays} days, were removed.`;
    await auditTrail.append(systemFacts(clock.now(), 'auditRemoveOld', note));
  };

/** The last place that was removed; null when nothing is old. The newest entry always stays. */
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
    const fault = faultBehind(place, entry);
    if (fault) throw changed(entry.seq, fault);
    place = { seq: entry.seq, hash: entry.hash };
  }
  if (old.length === 0) return null;
  await writeAuditHead(session, { row, state: { ...state, removed: place }, secrets });
  await session.remove(auditEntries, { seq: { in: old.map(({ seq }) => seq) } });
  return place;
}

const changed = (seq: number, fault: string) =>
  new AppError('internal', `Entry ${seq} of the audit trail is bad: ${fault}. It is kept.`);

const auditView = ({ id: _, at, ...row }: AuditEntryRow): AuditEntryView => ({
  ...row,
  at: isoTime(at),
});
