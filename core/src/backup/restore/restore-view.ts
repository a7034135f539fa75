import type { RestoreJobView, RestoreManifestEntry, RestorePlanView } from '@holdfast/contracts';
import type { JobRow } from '../../engine/jobs/index.js';
import { type JobKindFacts, sentencesOf } from '../../engine/jobs/index.js';
import { codeOf, escapeName, hasUndecodable, isoTime } from '../../foundation/kernel/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import { idsOf, namesOf, remarkOnOwners } from './owners.rules.js';
import type { ManifestEntry, RestoreOutcome, RestoreParameters } from './restore.rules.js';
import { type Judged, obstaclesOf } from './stage/judge-survey.js';
import { remarksOnTarget } from './stage/lacks.rules.js';
import type { RestorePlanRow } from './tables.js';

const named = (path: string) => ({
  path: escapeName(path),
  ...(hasUndecodable(path) ? { name_escaped: true as const } : {}),
});

export function restorePlanView(
  plan: RestorePlanRow,
  repository: RepositoryRow,
  judged: Judged,
): RestorePlanView {
  const { survey, order, freeBytes } = judged;
  const { collisions, blocked, leaving } = survey;
  const obstacles = obstaclesOf(judged);
  const by = order.owners ?? 'names';
  const owners = remarkOnOwners(judged.owners, by);
  const remarks = [...remarksOnTarget(survey), ...(judged.canSetOwners && owners ? [owners] : [])];
  return {
    success: true,
    plan_id: plan.key,
    expires_at: isoTime(plan.expires_at),
    can_start: obstacles.length === 0,
    obstacles: obstacles.map(String),
    obstacle_codes: obstacles.map(codeOf),
    repository: repository.path,
    repository_id: repository.id,
    archive: order.archive,
    archive_id: order.archiveId,
    destination: order.destination,
    destination_connection_id: order.destinationConnectionId ?? null,
    destination_host: order.destinationHost ?? null,
    files: survey.files,
    directories: survey.directories,
    links: survey.links,
    others: survey.others,
    bytes: survey.bytes,
    free_bytes: freeBytes,
    damaged_files: survey.damaged.count,
    without_name: survey.stripped,
    writes_to: survey.base === null ? null : escapeName(survey.base),
    alike_files: survey.alike,
    collisions: {
      count: collisions.count,
      examples: collisions.examples.map(({ path, there }) => ({ ...named(path), there })),
    },
    blocked: {
      count: blocked.count,
      examples: blocked.examples.map(({ path, reason }) => ({ ...named(path), reason })),
    },
    links_leaving: {
      count: leaving.count,
      examples: leaving.examples.map(({ path, target }) => ({ ...named(path), target: escapeName(target) })),
    },
    owners: ownersOf(judged),
    not_kept: [...survey.lacks],
    remarks: remarks.map(String),
    remark_codes: remarks.map(codeOf),
  };
}

/** Only root can set owners; files restored by others belong to the user of the service. */
function ownersOf({ order, owners, canSetOwners }: Judged): RestorePlanView['owners'] {
  const shown = owners.map((owner) => ({
    owner: namesOf(owner),
    count: owner.count,
    ids: idsOf(owner),
    names_there: owner.there?.names ?? null,
    ids_there: owner.there?.ids ?? null,
  }));
  return { can_be_set: canSetOwners, by: order.owners ?? 'names', owners: shown };
}

export function restoreJobView(job: JobRow): RestoreJobView {
  const { progress } = job;
  const parameters = job.parameters as RestoreParameters;
  const outcome = job.outcome as Partial<RestoreOutcome> | null;
  const percent = Math.min(100, Math.max(0, progress.percent));
  return {
    id: job.id,
    repository: job.repository_path,
    repository_id: job.repository_id,
    repository_name: job.repository_name,
    archive: parameters.archive,
    destination: parameters.destination,
    destination_connection_id: parameters.destinationConnectionId ?? null,
    destination_host: parameters.destinationHost ?? null,
    paths: parameters.paths,
    overwrite: parameters.overwrite,
    skip_existing: parameters.skipExisting,
    strip_components: parameters.stripComponents,
    status: job.status,
    requested_by: job.requested_by,
    requested_at: isoTime(job.requested_at),
    started_at: isoTime(job.started_at),
    completed_at: isoTime(job.completed_at),
    progress: Math.floor(percent),
    progress_details: {
      nfiles: progress.files,
      current_file: escapeName(progress.currentPath),
      progress_percent: percent,
      restore_speed: progress.speed,
      estimated_time_remaining: Math.round(progress.secondsRemaining),
    },
    progress_message: job.status === 'running' ? progress.message : null,
    ...sentencesOf(job),
    has_logs: job.log_lines > 0,
    restored: outcome?.restored ?? null,
    replaced: outcome?.replaced ?? null,
    kept: outcome?.kept ?? null,
    restored_bytes: outcome?.bytes ?? null,
    by_type: outcome?.byType ?? null,
  };
}

/** The facts about a restore in the list of all jobs. */
export const restoreJobFacts: JobKindFacts = {
  about: ({ parameters, outcome }) => {
    const { archive, destination, destinationConnectionId, destinationHost, paths, dump } =
      parameters as RestoreParameters;
    const { restored, replaced, kept, bytes } = (outcome ?? {}) as Partial<RestoreOutcome>;
    return {
      archive,
      destination,
      destination_connection_id: destinationConnectionId ?? null,
      destination_host: destinationHost ?? null,
      ...(dump && { dump: { kind: dump.kind, source: dump.source, name: dump.name } }),
      path_count: paths.length,
      restored: restored ?? null,
      replaced: replaced ?? null,
      kept: kept ?? null,
      restored_bytes: bytes ?? null,
    };
  },
  needsAdmin: () => true,
};

export const manifestEntryView = ({ path, type, result, size }: ManifestEntry): RestoreManifestEntry => ({
  ...named(path),
  type,
  ...(result === 'left_out' ? { result: 'kept', left_out: true } : { result }),
  size,
});
