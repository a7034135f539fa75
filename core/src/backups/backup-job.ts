import type { StorageSession } from '@holdfast/plugin-api';
import type { ArchiveSummary, CreateArchiveResult } from '@holdfast/plugin-api/driver';
import { scheduleFactsOf } from '../calendar/index.js';
import type { JobRow } from '../jobs/tables.js';
import { clockToleranceMs, invalid } from '../kernel/index.js';
import type { BackupOutcome } from '../repositories/index.js';
import {
  defaultTemplate,
  formatArchiveComment,
  freeArchiveName,
  manualArchiveName,
  parseArchiveComment,
  renderArchiveName,
} from '../repositories/index.js';
import { archives, type RepositoryRow } from '../repositories/tables.js';
import { schedules } from '../schedules/tables.js';

interface Run {
  job: JobRow;
  repository: RepositoryRow;
}

type Told = Pick<BackupOutcome, 'sources' | 'sourceConnectionId'> &
  Required<Pick<BackupOutcome, 'lacking' | 'filled' | 'collapsed'>>;

export const outcomeOf = (
  result: CreateArchiveResult,
  { sources, sourceConnectionId, lacking, filled, collapsed }: Told,
): BackupOutcome => ({
  archive: result.archive,
  stats: result.stats,
  repositoryStoredSize: result.repositoryStoredSize,
  ...{ sources, sourceConnectionId, lacking, filled, collapsed },
});

/** A job that ran when an earlier release was replaced has no random id: its numbers stand in the comment. */
export async function commentFor(session: StorageSession, job: JobRow, installation: string) {
  const { id, uid, schedule_id } = job;
  if (uid === null) return formatArchiveComment({ installation, schedule: schedule_id, job: id });
  const where = { id: schedule_id ?? 0 };
  const [schedule] = await session.find(schedules, { where, limit: 1 });
  return formatArchiveComment({ installation, schedule: schedule?.uid ?? null, job: uid });
}

const dayMs = 86_400_000;

/**
 * True for an archive that names this very job and began after it did. Nobody knew a random id before there was the job,
 * so the date is only held against what is plainly older, however wrong a clock was set meanwhile. A number proves
 * nothing without the date: here with full seconds only, of another machine by its own clock.
 */
export function isArchiveOf(
  archive: ArchiveSummary,
  { job, repository }: Run,
  installation: string,
): boolean {
  const origin = parseArchiveComment(archive.comment);
  if (origin?.installation !== installation || origin.job !== (job.uid ?? job.id)) return false;
  const ofNumber = repository.source_connection_id === null ? 1_000 : clockToleranceMs;
  const tolerance = job.uid === null ? ofNumber : 7 * dayMs;
  return archive.start >= (job.started_at ?? job.requested_at) - tolerance;
}

/** The first name of a job's archive: the same each time it is asked for one run. */
export function baseNameOf(job: JobRow): string {
  const at = job.started_at ?? job.requested_at;
  const schedule = scheduleFactsOf(job);
  if (!schedule) return manualArchiveName(at);
  return renderArchiveName(schedule.archiveNameTemplate ?? defaultTemplate(schedule.severalRepositories), {
    scheduleName: schedule.name,
    repositoryName: job.repository_name,
    at,
    timeZone: schedule.timezone,
  });
}

/** The lane is held while this runs, so no other job of ours takes the name in between. */
export async function chooseArchiveName(storage: StorageSession, job: JobRow, repositoryId: number) {
  const rows = await storage.find(archives, { where: { repository_id: repositoryId } });
  const taken = new Set(rows.map((row) => row.name));
  return freeArchiveName(baseNameOf(job), (name) => taken.has(name));
}

/** The repository itself, or AppError `invalid` when it can't take backups at all. */
export function refuseUnlessBackable(repository: RepositoryRow): RepositoryRow {
  if (repository.mode === 'observe') {
    throw invalid(
      `Repository ${repository.name} is in observe mode, which only reads. Set its mode to full to back up into it.`,
    );
  }
  if (repository.source_directories.length === 0) {
    throw invalid(
      `Repository ${repository.name} has no source directories. Add at least one with PUT /api/repositories/${repository.id}.`,
    );
  }
  return repository;
}
