import type { StorageBackend } from '@holdfast/plugin-api';
import { archives } from '../../backup/repositories/index.js';
import { type CronRule, slots } from '../../backup/schedules/index.js';
import { type Pace, paces } from '../../foundation/kernel/index.js';
import { readRepositoryFacts } from '../monitoring/index.js';
import { notificationRepositories, notificationSettings } from '../notifications/tables.js';
import { readDuty, takeDuty } from './duty.js';
import type { IncidentsNeeds } from './needs.js';
import { duties, incidents } from './tables.js';
import { type WatchWorker, watchWorker } from './watch-worker.js';
import { reportFor, type WeekFacts } from './weekly-report.rules.js';
import { changing } from './write-incidents.js';

const duty = 'weekly report';
const weekMs = 7 * 86_400_000;

/**
 * Sends the weekly report: at each planned time once, by one of all instances. A time that passed while no instance ran
 * is caught up once.
 */
export function makeReportWorker(
  needs: IncidentsNeeds,
  rule: CronRule,
  { lookEvery }: Pace['report'] = paces.usual.report,
): WatchWorker {
  const { storage, clock, log } = needs;
  const look = async () => {
    const now = clock.now();
    const next = rule.next(now);
    const row = await readDuty(storage, duty);
    if (!row) {
      const isDue = () => false;
      await takeDuty(storage, { name: duty, now, holdMs: 0, firstAt: next, isDue });
      return;
    }
    const seen = { id: row.id, due_at: row.due_at };
    // Later than the plan says: the plan was changed, or the clock was ahead.
    if (row.due_at > next) await storage.update(duties, seen, { due_at: next });
    if (row.due_at > now) return;
    const week = await readWeek(needs, now);
    await changing(needs, async (session, record) => {
      if ((await session.update(duties, seen, { due_at: next })) === 0) return;
      for (const [setting_id, ids] of week.settings) {
        const report = reportFor(week, ids);
        await record('report_weekly', { setting_id, report, repository_ids: ids && [...ids] });
      }
    });
  };
  return watchWorker(look, {
    everyMs: lookEvery,
    log,
    failure: 'could not write the weekly report; retrying',
  });
}

async function readWeek({ storage, clock }: IncidentsNeeds, now: number): Promise<WeekFacts> {
  const from = now - weekMs;
  const facts = await readRepositoryFacts({ storage, clock });
  const [open, settings] = [
    await storage.find(incidents, { where: { is_open: true }, order: [['id', 'asc']] }),
    await readSettings(storage),
  ];
  const ids = facts.repositories.map(({ row }) => row.id);
  const added = await inBatches(ids, (some) =>
    storage.aggregate(archives, {
      where: { repository_id: { in: some }, start: { gte: from, lte: now } },
      groupBy: ['repository_id', 'measured_at'],
      measures: { count: { count: true }, bytes: { sum: 'deduplicated_size' } },
    }),
  );
  const runs = await inBatches(
    facts.schedules.map(({ id }) => id),
    (some) =>
      storage.aggregate(slots, {
        where: { schedule_id: { in: some }, planned_at: { gte: from, lte: now }, trigger: 'schedule' },
        groupBy: ['schedule_id', 'outcome'],
        measures: { count: { sum: 'count' } },
      }),
  );
  return {
    from,
    until: now,
    open,
    settings,
    added,
    runs,
    links: facts.links,
    repositories: facts.repositories,
  };
}

const batchSize = 500;

async function inBatches<T>(
  ids: readonly number[],
  read: (some: readonly number[]) => Promise<T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < ids.length; at += batchSize)
    found.push(...(await read(ids.slice(at, at + batchSize))));
  return found;
}

/** The settings that want the report, with the repositories that they monitor; null for all. */
async function readSettings(storage: StorageBackend): Promise<[number, ReadonlySet<number> | null][]> {
  const where = { enabled: true, notify_on_report_weekly: true };
  const rows = await storage.find(notificationSettings, { where });
  return Promise.all(
    rows.map(async ({ id, monitor_all_repositories }) => {
      if (monitor_all_repositories) return [id, null];
      const links = await storage.find(notificationRepositories, { where: { setting_id: id } });
      return [id, new Set(links.map(({ repository_id }) => repository_id))];
    }),
  );
}
