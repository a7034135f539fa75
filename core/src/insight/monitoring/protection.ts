import type { ProtectionReport, RepositoryProtection } from '@holdfast/contracts';
import { lastProofView } from '../../backup/drills/index.js';
import { currentInventory, repositories } from '../../backup/repositories/index.js';
import { codeOf, isoTime, withinTime } from '../../foundation/kernel/index.js';
import type { MonitoringNeeds } from './needs.js';
import { type ProtectionState, protectionStates } from './protection.rules.js';
import { type RepositoryFacts, readRepositoryFacts } from './repository-facts.js';

type Needs = Parameters<typeof readOldLists>[0] & MonitoringNeeds;

/** Reports for each repository whether its newest archive is recent enough, and why. */
export async function getProtection(
  needs: Needs,
  { known_only: knownOnly = false } = {},
): Promise<ProtectionReport> {
  if (!knownOnly) await readOldLists(needs);
  const { now, repositories } = await readRepositoryFacts(needs);
  const count = (state: ProtectionState) =>
    repositories.filter(({ protection }) => protection.state === state).length;
  const [safe, late, unknown] = protectionStates.map(count) as [number, number, number];
  return {
    success: true,
    as_of: new Date(now).toISOString(),
    summary: { protected: safe, late, unknown },
    repositories: repositories.map((facts) => protectionView(facts, now)),
  };
}

const protectionView = (
  { row, newestArchive, protection, drills }: RepositoryFacts,
  now: number,
): RepositoryProtection => {
  const { state, reasons, promise, until, damaged } = protection;
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    status: state,
    reasons: reasons.map(String),
    reason_codes: reasons.map(codeOf),
    newest_archive: isoTime(newestArchive),
    newest_archive_age_hours: newestArchive === null ? null : hours(Math.max(0, now - newestArchive)),
    freshness_hours: row.freshness_hours,
    promised_hours: promise && hours(promise.ageMs),
    promised_by: promise && (promise.schedule === null ? 'objective' : 'schedule'),
    promising_schedule: promise?.schedule ?? null,
    protected_until: isoTime(until),
    damaged,
    archives_as_of: isoTime(row.inventory_at),
    ...lastProofView(drills, now),
  };
};

/** With two decimals. */
const hours = (ms: number): number => Math.round(ms / 36_000) / 100;

/** Others may add and remove archives, so older lists are read again. Milliseconds. */
const oldAfterMs = 3_600_000;
/** A request waits no longer than this. The remaining lists are read with the next request. Milliseconds. */
const waitMs = 2_000;

type ReadOldListsNeeds = Parameters<typeof currentInventory>[0];

/** Refreshes the oldest lists of archives, as many as time permits. Skips busy repositories. */
async function readOldLists(needs: ReadOldListsNeeds): Promise<void> {
  const { storage, clock, log } = needs;
  const ageOf = (at: number | null) => clock.now() - (at ?? 0);
  const old = (await storage.find(repositories))
    .filter(({ inventory_at }) => ageOf(inventory_at) >= oldAfterMs)
    .sort((a, b) => (a.inventory_at ?? 0) - (b.inventory_at ?? 0));
  let late = false;
  const readAll = async () => {
    for (const repository of old) {
      if (late) return;
      await currentInventory(needs, repository).catch((error) =>
        log.info('could not read a list of archives', { error }),
      );
    }
  };
  await withinTime(waitMs, readAll, () => new Error('late')).catch(() => {
    late = true;
  });
}
