import type { StorageSession } from '@holdfast/plugin-api';
import type { ArchiveSummary, CreateArchiveResult } from '@holdfast/plugin-api/driver';
import type { JobRow } from '../../engine/jobs/index.js';
import { clockToleranceMs, invalid, say } from '../../foundation/kernel/index.js';
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
import { scheduleFactsOf } from '../schedules/calendar/index.js';
import { scheduleRepositories, schedules } from '../schedules/tables.js';

interface Run {
  job: JobRow;
  repository: RepositoryRow;
}

type Findings = Pick<
  BackupOutcome,
  'sources' | 'sourceConnectionId' | 'massChange' | 'skipped' | 'prepared'
> &
  Required<Pick<BackupOutcome, 'lacking' | 'filled' | 'collapsed'>>;

export const outcomeOf = (
  result: CreateArchiveResult,
  {
    sources,
    sourceConnectionId,
    lacking,
    filled,
    collapsed,
    massChange,
    skipped = [],
    prepared = [],
  }: Findings,
): BackupOutcome => ({
  archive: result.archive,
  stats: result.stats,
  repositoryStoredSize: result.repositoryStoredSize,
  sources,
  sourceConnectionId,
  lacking,
  filled,
  collapsed,
  ...(massChange && { massChange }),
  ...(result.unread && { unread: [...result.unread.denied, ...result.unread.failed] }),
  ...(result.changedFiles && { changedFiles: result.changedFiles }),
  ...(skipped.length > 0 ? { skipped } : {}),
  ...(prepared.length > 0 ? { prepared } : {}),
});

/**
 * Jobs that were running during an upgrade may lack a random id. Their comment contains numeric ids instead.
 */
export async function commentFor(
  session: StorageSession,
  { job: { id, uid, schedule_id }, repository }: Run,
  installation: string,
) {
  if (uid === null) return formatArchiveComment({ installation, schedule: schedule_id, job: id });
  const where = { id: schedule_id ?? 0 };
  const [schedule] = await session.find(schedules, { where, limit: 1 });
  const origin = { installation, schedule: schedule?.uid ?? null, job: uid };
  return formatArchiveComment({ ...origin, ...(repository.self_backup && { itself: true }) });
}

const dayMs = 86_400_000;

/**
 * True for an archive that names this job in its comment and began after the job did. A random id cannot be
 * known before its job exists, so the date only rules out archives that are far older; this tolerates wrong
 * clocks. A numeric id proves nothing without the date; the tolerance covers dates in full seconds and, for
 * remote sources, the clock of the other machine.
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

/** The parameters of a manual backup. Absent in jobs of earlier releases. */
export interface ManualBackupParameters extends Record<string, unknown> {
  /** IANA name of the zone for the name of the archive. */
  timeZone: string;
}

/** The zone of the first enabled schedule of a repository, so that all names share one clock; else that of the service. */
export async function nameZoneOf(session: StorageSession, repository_id: number): Promise<string> {
  const links = await session.find(scheduleRepositories, { where: { repository_id } });
  const ids = links.map(({ schedule_id }) => schedule_id);
  const where = { id: { in: ids }, enabled: true };
  const [first] = await session.find(schedules, { where, order: [['id', 'asc']], limit: 1 });
  return first?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The preferred archive name of a job. Stable for one run of the job. */
export function baseNameOf(job: JobRow): string {
  const at = job.started_at ?? job.requested_at;
  const schedule = scheduleFactsOf(job);
  if (!schedule) return manualArchiveName(at, (job.parameters as Partial<ManualBackupParameters>).timeZone);
  return renderArchiveName(schedule.archiveNameTemplate ?? defaultTemplate(schedule.severalRepositories), {
    scheduleName: schedule.name,
    repositoryName: job.repository_name,
    at,
    timeZone: schedule.timezone,
  });
}

/** The caller holds the lane, so no other job of this installation can take the name in between. */
export async function chooseArchiveName(storage: StorageSession, job: JobRow, repositoryId: number) {
  const rows = await storage.find(archives, { where: { repository_id: repositoryId } });
  const taken = new Set(rows.map((row) => row.name));
  return freeArchiveName(baseNameOf(job), (name) => taken.has(name));
}

/** Returns the repository. Throws AppError `invalid` when it can't take backups. */
export function assertBackable(repository: RepositoryRow): RepositoryRow {
  const { id, name } = repository;
  if (repository.mode === 'observe') {
    throw invalid(
      say`backup_in_observe_mode: Repository ${{ repository: name }} is in observe mode, which is read-only. Set its mode to full to back up to it.`,
    );
  }
  if (repository.source_directories.length + repository.sources.length === 0) {
    throw invalid(
      say`backup_without_sources: Repository ${{ repository: name }} has no sources. Add at least one with PUT /api/repositories/${{ id }}.`,
    );
  }
  return repository;
}
