import { hookJournals, schedules, scriptRuns, slots } from '../schema/tables.js';
import { batchOfRows, daysAgo, removeInBatches, type Sweep } from './sweep.js';

/** Removes what is too old, or too much, in the ledgers. What runs stays, and the last one of each schedule. */
export async function removeOldRuns(sweep: Sweep): Promise<void> {
  const { storage, retention, going } = sweep;
  const old = daysAgo(sweep, retention.runDays);
  for (const { id: schedule_id } of await storage.find(schedules)) {
    if (!going()) return;
    const order = [['planned_at', 'desc']] as const;
    const at = async (offset: number) =>
      (await storage.find(slots, { where: { schedule_id }, order, limit: 1, offset }))[0]?.planned_at;
    const newest = await at(0);
    if (newest === undefined) continue;
    const tooMany = (await at(retention.runsOfSchedule)) ?? Number.NEGATIVE_INFINITY;
    const before = Math.min(newest, Math.max(old, tooMany + 1));
    await removeInBatches(sweep, slots, {
      schedule_id,
      planned_at: { lt: before },
      outcome: { not: 'running' },
    });
  }
}

/** Removes old runs of scripts whose hooks are all done: by then their journal is gone. */
export async function removeOldScriptRuns(sweep: Sweep): Promise<void> {
  const { storage, retention, going } = sweep;
  const started_at = { lt: daysAgo(sweep, retention.jobLogDays) };
  for (let after = 0; going(); ) {
    const where = { started_at, id: { gt: after } };
    const rows = await storage.find(scriptRuns, { where, order: [['id', 'asc']], limit: batchOfRows });
    const ids = [...new Set(rows.map(({ journal_id }) => journal_id))];
    const open = await storage.find(hookJournals, { where: { id: { in: ids } } });
    const needed = new Set(open.map(({ id }) => id));
    const gone = rows.filter(({ journal_id }) => !needed.has(journal_id)).map(({ id }) => id);
    if (gone.length > 0) await storage.remove(scriptRuns, { id: { in: gone } });
    if (rows.length < batchOfRows) return;
    after = rows.at(-1)?.id ?? after;
  }
}
