import { type ChainPlace, faultBehind, systemFacts } from './audit-entry.rules.js';
import { AppError } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { trailTransaction } from './append-entries.js';
import { readAuditHead, writeAuditHead } from './audit-head.js';
import { auditEntries } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';

type Needs = Pick<Dependencies, 'storage' | 'clock' | 'secrets' | 'auditTrail' | 'settings'>;

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
