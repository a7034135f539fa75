import type { Overview, OverviewFigures } from '@holdfast/contracts';
import { afterPause, knownZone, type SlotRow, slots } from '../../backup/schedules/index.js';
import { sshKeys } from '../../backup/ssh/index.js';
import { jobs } from '../../engine/jobs/index.js';
import { isoTime, ReadCache, sentenceOf, shownParams } from '../../foundation/kernel/index.js';
import { type Day, type DayState, daysUntil, makeDayStates } from '../history/index.js';
import { listAttention } from '../incidents/attention.rules.js';
import { type IncidentFacts, readIncidentFacts } from '../incidents/incident-facts.js';
import { incidents } from '../incidents/tables.js';
import {
  type AllRepositories,
  type RepositoryFacts,
  readKnownSheet,
  sheetProblem,
} from '../monitoring/index.js';
import { readFigures } from './figures.js';
import { type Class, headlineOf } from './headline.rules.js';
import type { OverviewNeeds } from './needs.js';
import { repositoryOverview, shownJobs } from './overview-view.js';

const stripDays = 30;
const maxAttention = 100;
const mostWaiting = 20;
/** The response depends on the time, so it is cached only this long. Milliseconds. */
const freshForMs = 1_000;

/**
 * All data for the home page. Reads only the storage: archives of other programs are known as of the last
 * listing. Throws AppError `invalid` for an unknown time zone.
 */
export const getOverview = ({ storage, clock, isLimited = false }: OverviewNeeds) => {
  const cache = new ReadCache(storage);
  const readDays = ofDays(storage);
  return async ({ timezone }: { timezone: string }): Promise<Overview> => {
    const zone = knownZone(timezone);
    const make = async (): Promise<Overview> => {
      const [facts, running, [pending], open, sheet, [key], waits] = await Promise.all([
        readIncidentFacts({ storage, clock }),
        storage.find(shownJobs, { where: { status: 'running' } }),
        storage.aggregate(jobs, { where: { status: 'pending' }, measures: { count: { count: true } } }),
        storage.find(incidents, { where: { is_open: true } }),
        readKnownSheet(storage),
        storage.find(sshKeys, { limit: 1 }),
        storage.find(slots, {
          where: { outcome: 'waiting' },
          order: [['planned_at', 'asc']],
          limit: mostWaiting,
        }),
      ]);
      const { now, connections } = facts;
      const days = daysUntil(now, stripDays, zone);
      const { states, figures } = await readDays(facts, days);
      const present = {
        repositories: facts.repositories.map(({ row }) => row),
        connections,
        sshKey: key?.fingerprint ?? null,
      };
      const all = listAttention(facts, open, sheetProblem(sheet, present));
      // Hosts, channels and the service itself are not theirs.
      const attention = isLimited
        ? all.filter(({ object: { kind } }) => kind === 'repository' || kind === 'schedule')
        : all;
      const context = {
        now,
        states,
        connections: new Map(connections.map((row) => [row.id, row])),
        running: new Map(running.map((job) => [job.repository_id, job])),
      };
      const repositories = facts.repositories.map((each) => repositoryOverview(each, context));
      const counts = countsOf(repositories);
      const found = facts.repositories.map((each, n) => classOf(each, repositories[n]?.status ?? 'unknown'));
      const { state, message } = headlineOf(found, counts.late > 0);
      return {
        success: true,
        as_of: isoTime(now),
        headline: { state, ...sentenceOf(message) },
        counts: {
          ...counts,
          running: running.length,
          pending: pending?.count ?? 0,
          incidents: open.length,
          external: countExternal(repositories),
        },
        figures,
        moved_in: movedIn(facts),
        oldest_newest_archive: oldestNewest(facts),
        next_run: nextRun(facts),
        paused: pausesIn(facts),
        waiting: waitingIn(facts, waits),
        attention: attention.slice(0, maxAttention),
        attention_total: attention.length,
        timezone: zone.name,
        first_day: days[0]?.date ?? '',
        last_day: days.at(-1)?.date ?? '',
        repositories,
      };
    };
    return cache.read(zone.name, make, Math.floor(clock.now() / freshForMs));
  };
};

const maxDays = 64;

/** The figures move slowly. Milliseconds. */
const figuresForMs = 60_000;

interface OfDays {
  states: ReadonlyMap<number, DayState[]>;
  figures: OverviewFigures;
}

/** What takes many reads is read at these times, and at once with a new repository and after a backup. */
function ofDays(storage: OverviewNeeds['storage']) {
  const dayStates = makeDayStates(storage);
  const read = new Map<number, OfDays & { at: number; countedAt: number; last: string }>();
  return async (facts: IncidentFacts, days: readonly Day[]): Promise<OfDays> => {
    const { now, repositories, links } = facts;
    const key = days[0]?.from ?? 0;
    const last = repositories.map(({ row, figures }) => `${row.id} ${figures.last.backup?.endedAt}`).join();
    const before = read.get(key);
    const known = before?.last === last ? before : undefined;
    if (known && Math.abs(now - known.at) < freshForMs) return known;
    const counted = known && Math.abs(now - known.countedAt) < figuresForMs ? known : undefined;
    const asked = { days, now, repositories: repositories.map(({ row }) => row), links };
    const [states, figures] = await Promise.all([
      dayStates(asked),
      counted?.figures ?? readFigures({ storage }, facts, days),
    ]);
    if (read.size >= maxDays) read.clear();
    read.set(key, { at: now, countedAt: counted?.countedAt ?? now, last, states, figures });
    return { states, figures };
  };
}

const countExternal = (repositories: Overview['repositories']) =>
  repositories.filter((each) => each.made_externally).length;

function countsOf(repositories: Overview['repositories']) {
  const of = (state: string) => repositories.filter(({ status }) => status === state).length;
  return {
    total: repositories.length,
    protected: of('protected'),
    late: of('late'),
    unknown: of('unknown'),
    damaged: repositories.filter(({ damaged }) => damaged).length,
  };
}

const classOf = ({ row, protection, drills }: RepositoryFacts, status: Class): Class =>
  protection.damaged
    ? 'damaged'
    : row.open_error !== null
      ? 'unreachable'
      : status !== 'late' && drills?.failed_at != null
        ? 'drill'
        : status;

/** Imported repositories that were not backed up by Holdfast yet. */
function movedIn({ repositories }: AllRepositories): Overview['moved_in'] {
  const came = repositories.filter(({ row, figures }) => row.archive_count > 0 && !figures.last.backup?.good);
  const ours = came.filter(({ row }) => row.mode === 'full');
  const runs = ours.flatMap(({ covering }) =>
    covering.flatMap((each) => afterPause(each, each.pause_until) ?? []),
  );
  return {
    total: came.length,
    observed: came.length - ours.length,
    first_backup: runs.length === 0 ? null : isoTime(Math.min(...runs)),
  };
}

function oldestNewest({ repositories }: AllRepositories): Overview['oldest_newest_archive'] {
  const known = repositories.flatMap(({ row: { id, name }, newestArchive: at }) =>
    at === null ? [] : [{ repository_id: id, name, at }],
  );
  const oldest = known.reduce<(typeof known)[number] | null>(
    (least, each) => (least && least.at <= each.at ? least : each),
    null,
  );
  return oldest && { ...oldest, at: isoTime(oldest.at) };
}

/** A schedule with a pause of its own that ends with that of all, or before, needs no mention. */
function pausesIn({ schedules, pausedUntil }: AllRepositories): Overview['paused'] {
  const all = pausedUntil === null ? [] : [{ schedule_id: null, name: null, until: isoTime(pausedUntil) }];
  const own = schedules.flatMap(({ id: schedule_id, name, enabled, pause_until: until }) =>
    enabled && until !== null && until > (pausedUntil ?? 0)
      ? [{ schedule_id, name, until: isoTime(until) }]
      : [],
  );
  return [...all, ...own];
}

const waitingIn = ({ schedules }: AllRepositories, waits: readonly SlotRow[]): Overview['waiting'] =>
  waits.flatMap(({ schedule_id, planned_at, reason, reason_code, reason_params }) => {
    const name = schedules.find(({ id }) => id === schedule_id)?.name;
    if (name === undefined) return [];
    const why = { reason: reason ?? '', reason_code, reason_params: shownParams(reason_params) };
    return [{ schedule_id, name, planned_at: isoTime(planned_at), ...why }];
  });

function nextRun({ schedules }: AllRepositories): Overview['next_run'] {
  let next: { schedule_id: number; name: string; at: number } | null = null;
  for (const each of schedules) {
    const { id, name, enabled } = each;
    const at = afterPause(each, each.pause_until);
    if (enabled && at !== null && (next === null || at < next.at)) next = { schedule_id: id, name, at };
  }
  return next && { ...next, at: isoTime(next.at) };
}
