import type { OverviewRepository } from '@holdfast/contracts';
import type { RowOf } from '@holdfast/plugin-api';
import { lastProofView } from '../../backup/drills/index.js';
import { spaceAt } from '../../backup/repositories/index.js';
import { afterPause } from '../../backup/schedules/index.js';
import type { SshConnectionRow } from '../../backup/ssh/index.js';
import { jobs } from '../../engine/jobs/index.js';
import { isoTime, partOf, say, sentenceOf } from '../../foundation/kernel/index.js';
import { type DayState, stripOf } from '../history/index.js';
import { archivesSeenAt, isOutdated, type RepositoryFacts } from '../monitoring/index.js';

export const shownJobs = partOf(jobs, 'id', 'kind', 'status', 'repository_id', 'progress');
type ShownJob = RowOf<typeof shownJobs>;

interface Context {
  now: number;
  states: ReadonlyMap<number, DayState[]>;
  connections: ReadonlyMap<number, SshConnectionRow>;
  /** By repository. */
  running: ReadonlyMap<number | null, ShownJob>;
}

export function repositoryOverview(facts: RepositoryFacts, context: Context): OverviewRepository {
  const { row, figures, newestArchive, covering, drills } = facts;
  const { damaged, until } = facts.protection;
  const seen = archivesSeenAt(facts);
  const { status, reason } = statusOf(facts, seen, context.now);
  const runs = covering.flatMap((each) => afterPause(each, each.pause_until) ?? []);
  const job = context.running.get(row.id);
  const place = context.connections.get(row.connection_id ?? 0);
  return {
    id: row.id,
    name: row.name,
    host: place?.name ?? place?.host ?? null,
    tags: row.tags,
    status,
    damaged,
    reason,
    newest_archive: isoTime(newestArchive),
    protected_until: isoTime(until),
    made_externally: isMadeExternally(facts),
    archives_as_of: isoTime(seen),
    archive_count: row.archive_count,
    size_bytes: row.stored_size,
    free_bytes: spaceAt(row, place)?.free ?? null,
    mode: row.mode,
    next_run: runs.length === 0 ? null : isoTime(Math.min(...runs)),
    running: job ? runningView(job) : null,
    last_check: isoTime(row.last_check),
    last_restore: isoTime(figures.last.restore?.clean?.endedAt ?? null),
    ...lastProofView(drills, context.now),
    days: stripOf(context.states.get(row.id) ?? []),
  };
}

/** Since the registration and the last backup of this service, which may have been cut off before it was recorded. */
function isMadeExternally({ row, figures, newestArchive }: RepositoryFacts): boolean {
  const known = Math.max(row.created_at, figures.last.backup?.endedAt ?? 0);
  return newestArchive !== null && newestArchive > known;
}

/** An archive list that is days old does not count as protection. */
function statusOf(
  { protection: { state, reasons } }: RepositoryFacts,
  seenAt: number | null,
  now: number,
): Pick<OverviewRepository, 'status' | 'reason'> {
  if (state !== 'protected' || !isOutdated(seenAt, now)) {
    return { status: state, reason: sentenceOf(reasons[0]) };
  }
  const message = say`overview_list_outdated: The archives have not been listed for more than two days: list them to see whether they still exist.`;
  return { status: 'unknown', reason: sentenceOf(message) };
}

const runningView = ({ id, kind, progress }: ShownJob): NonNullable<OverviewRepository['running']> => ({
  job_id: id,
  kind,
  percent: Math.floor(progress.percent),
  seconds_remaining: progress.secondsRemaining || null,
});
