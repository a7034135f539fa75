import type { StorageBackend } from '@holdfast/plugin-api';
import { type DrillStandingRow, drillStandings } from '../../backup/drills/index.js';
import { archives } from '../../backup/repositories/index.js';
import {
  pauseAt,
  pauseOfAll,
  type ScheduleRepositoryRow,
  scheduleRepositories,
} from '../../backup/schedules/index.js';
import { type JobFigures, jobFigures, noFigures, noRepository } from '../../engine/jobs/index.js';
import { clockToleranceMs, grouped } from '../../foundation/kernel/index.js';
import {
  type JudgedRepository,
  type JudgedSchedule,
  judgedRepositories,
  judgedSchedules,
} from './judged-rows.js';
import type { MonitoringNeeds } from './needs.js';
import { judgeOpening, judgeProtection, type Protection } from './protection.rules.js';
import { protectionFacts } from './protection-facts.js';

/** The protection of each repository, and its reasons. */
export interface AllRepositories {
  now: number;
  repositories: RepositoryFacts[];
  /** For all repositories. Those no longer registered share one entry. */
  figures: JobFigures[];
  orphans: JobFigures;
  /** `pause_until`: also of all schedules together; null when it is over. */
  schedules: JudgedSchedule[];
  /** Until when all schedules are paused. */
  pausedUntil: number | null;
  /** Which repositories each schedule has. */
  links: ScheduleRepositoryRow[];
}

export interface RepositoryFacts {
  row: JudgedRepository;
  figures: JobFigures;
  /** Start of the newest archive that counts for protection; null without one. */
  newestArchive: number | null;
  /** Archives that are known to be damaged. */
  damagedArchives: number;
  /** Start of an archive that does not count, newer than that; null without one. */
  uncountedAt: number | null;
  /** The last instant that an enabled schedule of it was planned for; null without one. */
  lastPlanned: number | null;
  /** The enabled schedules that cover it. */
  covering: readonly JudgedSchedule[];
  /** The drill results; null without any. */
  drills: DrillStandingRow | null;
  protection: Protection;
}

/** Read at one time. The cost does not grow with the number of past jobs. */
export async function readRepositoryFacts({
  storage,
  clock,
}: Pick<MonitoringNeeds, 'storage' | 'clock'>): Promise<AllRepositories> {
  const now = clock.now();
  const latest = now + clockToleranceMs;
  const [rows, figureRows, { newestOnes, futureOnes }, storedRows, links, standings, paused] =
    await Promise.all([
      storage.find(judgedRepositories),
      storage.find(jobFigures),
      readNewest(storage, latest),
      storage.find(judgedSchedules),
      storage.find(scheduleRepositories),
      storage.find(drillStandings),
      pauseOfAll(storage),
    ]);
  const scheduleRows = storedRows.map((row) => ({
    ...row,
    pause_until: pauseAt(now, row.pause_until, paused),
  }));
  const figuresOf = new Map(figureRows.map(({ repository_id, figures }) => [repository_id, figures]));
  const good = newestOnes.filter(({ partial, damaged }) => !partial && !damaged);
  const newestOf = new Map(good.map((group) => [group.repository_id, group]));
  const groupsOf = grouped(newestOnes, (group) => group.repository_id);
  const schedulesOf = enabledSchedules(scheduleRows, links);
  const drillsOf = new Map(standings.map((standing) => [standing.repository_id, standing]));
  const lackingOf = await readLacking(storage, newestOnes, newestOf);
  const futureOf = new Map(futureOnes.map((group) => [group.repository_id, group.newest]));
  return {
    now,
    repositories: rows.map((row) => {
      const covering = schedulesOf.get(row.id) ?? [];
      const found = newestOf.get(row.id);
      const newest = found?.newest == null ? null : { start: found.newest, end: found.ended };
      const groups = groupsOf.get(row.id) ?? [];
      const figures = figuresOf.get(row.id) ?? noFigures;
      const drills = drillsOf.get(row.id) ?? null;
      const facts = protectionFacts({
        row,
        figures,
        newest,
        uncounted: newestUncounted(groups),
        covering,
        drills,
        lacking: lackingOf.get(row.id) ?? [],
        futureAt: futureOf.get(row.id) ?? null,
      });
      return {
        row,
        figures,
        covering,
        drills,
        newestArchive: newest?.start ?? null,
        damagedArchives: countDamaged(groups),
        uncountedAt: facts.uncountedAt,
        lastPlanned: covering.reduce<number | null>(
          (last, { last_planned: at }) => (at === null ? last : Math.max(at, last ?? 0)),
          null,
        ),
        protection: judgeOpening(judgeProtection(facts, now), row),
      };
    }),
    figures: [...figuresOf.values()],
    orphans: figuresOf.get(noRepository) ?? noFigures,
    schedules: scheduleRows,
    pausedUntil: pauseAt(now, paused),
    links,
  };
}

/** The newest archives of each kind up to `latest`, and the rare ones dated in the future. */
async function readNewest(storage: Pick<StorageBackend, 'aggregate'>, latest: number) {
  const newestUntil = (until?: number) =>
    storage.aggregate(archives, {
      where: until === undefined ? {} : { start: { lte: until } },
      groupBy: ['repository_id', 'partial', 'damaged'],
      measures: { newest: { max: 'start' }, ended: { max: 'end' }, count: { count: true } },
    });
  const newest = await newestUntil();
  if (newest.every(({ newest: at }) => (at ?? 0) <= latest)) return { newestOnes: newest, futureOnes: [] };
  const [newestOnes, futureOnes] = await Promise.all([
    newestUntil(latest),
    storage.aggregate(archives, {
      where: { start: { gt: latest } },
      groupBy: ['repository_id'],
      measures: { newest: { max: 'start' } },
    }),
  ]);
  return { newestOnes, futureOnes };
}

interface NewestOfKind {
  repository_id: number;
  partial: boolean;
  damaged: boolean;
  newest: number | null;
  count: number | null;
}

const countDamaged = (groups: readonly NewestOfKind[]): number =>
  groups.reduce((sum, { damaged, count }) => sum + (damaged ? (count ?? 0) : 0), 0);

/** Start of the newest archive that does not count; 0 without one. */
const newestUncounted = (groups: readonly NewestOfKind[]): number =>
  groups
    .filter((group) => group.partial || group.damaged)
    .reduce((last, { newest }) => Math.max(last, newest ?? 0), 0);

function enabledSchedules(
  rows: readonly JudgedSchedule[],
  links: readonly { schedule_id: number; repository_id: number }[],
): Map<number, JudgedSchedule[]> {
  const enabled = new Map(rows.filter((row) => row.enabled).map((row) => [row.id, row]));
  const covering = links.flatMap(({ schedule_id, repository_id }) => {
    const schedule = enabled.get(schedule_id);
    return schedule ? [{ repository_id, schedule }] : [];
  });
  return new Map(
    [...grouped(covering, (each) => each.repository_id)].map(([id, all]) => [
      id,
      all.map(({ schedule }) => schedule),
    ]),
  );
}

/** The sources missing in the newest archive, if it does not count, which is rare. */
async function readLacking(
  storage: Pick<StorageBackend, 'find'>,
  found: readonly NewestOfKind[],
  newestOf: ReadonlyMap<number, NewestOfKind>,
): Promise<Map<number, string[]>> {
  const incomplete = found.filter(
    ({ repository_id: id, partial, damaged, newest }) =>
      partial && !damaged && (newest ?? 0) >= (newestOf.get(id)?.newest ?? 0),
  );
  const read = incomplete.map(async ({ repository_id, newest }) => {
    const where = { repository_id, partial: true, start: newest ?? 0 };
    const [archive] = await storage.find(archives, { where, limit: 1 });
    return [repository_id, archive?.lacking ?? []] as const;
  });
  return new Map(await Promise.all(read));
}

/** Archives that were seen longer ago may be gone. Milliseconds. */
const outdatedAfterMs = 48 * 3_600_000;

/** When the archives of a repository were last seen: listed, or made by a backup; null when never. */
export const archivesSeenAt = ({ row, figures }: Pick<RepositoryFacts, 'row' | 'figures'>): number | null =>
  Math.max(row.inventory_at ?? 0, figures.last.backup?.good?.endedAt ?? 0) || null;

export const isOutdated = (seenAt: number | null, now: number): boolean =>
  seenAt === null || now - seenAt > outdatedAfterMs;
