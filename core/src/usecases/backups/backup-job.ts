import { formatArchiveComment, parseArchiveComment } from '../../domain/archive-comment.js';
import { freeArchiveName, manualArchiveName } from '../../domain/archive-name.js';
import { defaultTemplate, renderArchiveName } from '../../domain/archive-template.js';
import { scheduleFactsOf } from '../../domain/schedule.js';
import type { ArchiveStats, ArchiveSummary, CreateArchiveResult } from '../../ports/backup-driver.js';
import type { StorageSession } from '../../ports/storage.js';
import { archives, type JobRow } from '../../schema/tables.js';

/** What a finished backup leaves in its job's `outcome`. */
export interface BackupOutcome extends Record<string, unknown> {
  archive: ArchiveSummary;
  stats: ArchiveStats;
  repositoryStoredSize: number | null;
  sources: string[];
  /** Where the sources are; null: this machine. */
  sourceConnectionId: number | null;
  /** Sources that are not in it: missing, unreadable, symlinks, or empty where they were not before. */
  lacking?: string[];
  /** Sources in which this or an earlier backup found something. */
  filled?: string[];
  /** It has far less than the last whole archive: more may be missing than anybody noticed. */
  collapsed?: boolean;
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

export const commentFor = (job: JobRow, installation: string): string =>
  formatArchiveComment({ installation, scheduleId: job.schedule_id, jobId: job.id });

/** True for the archive that this very job made. */
export function isArchiveOf(archive: ArchiveSummary, job: JobRow, installation: string): boolean {
  const origin = parseArchiveComment(archive.comment);
  return origin?.installation === installation && origin.jobId === job.id;
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
