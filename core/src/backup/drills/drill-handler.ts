import type { StorageSession } from '@holdfast/plugin-api';
import type {
  JobContext,
  JobEnd,
  JobHandler,
  JobKindFacts,
  JobResult,
  JobRow,
} from '../../engine/jobs/index.js';
import { wasInterrupted } from '../../engine/jobs/index.js';
import { errorColumns, say } from '../../foundation/kernel/index.js';
import type { DrillOutcome, DrillParameters } from './drill.rules.js';
import { removeResults } from './evidence.js';
import type { DrillsNeeds } from './needs.js';
import { type RunNeeds, resultOfDrill, runDrill } from './run-drill.js';
import { removeScratch } from './scratch.fs.js';
import { noteDrill } from './standing.js';
import { drills } from './tables.js';

/** Uses the result if it was stored before the interruption; otherwise there is none. */
async function recoverDrill(
  { settings }: Pick<RunNeeds, 'settings'>,
  { job }: JobContext,
): Promise<JobResult> {
  await removeScratch(settings.dataDirectory, job.id);
  if (job.reported) return resultOfDrill(job.reported as DrillOutcome);
  const error = say`drill_interrupted: Interrupted: Holdfast stopped during the drill, so there is no result. Start it again.`;
  return { status: 'failed', error, outcome: { interrupted: true } };
}

export const drillHandler = (needs: RunNeeds & DrillsNeeds): JobHandler => ({
  kind: 'drill',
  lane: 'shared',
  run: runDrill.bind(null, needs),
  recover: recoverDrill.bind(null, needs),
  settle: (job, end, repository) => ({
    commit: async (session) => {
      const drill = await record(session, job, end);
      if (!repository) return;
      if (drill && end.status !== 'cancelled' && !wasInterrupted(end)) {
        await noteDrill(session, repository.id, { drill, outcome: end.outcome as DrillOutcome | null });
      }
      if (needsRerun(job, end)) {
        const parameters = { ...job.parameters, rerunOf: job.id };
        const again = { kind: 'drill' as const, repository, parameters, requestedBy: job.requested_by };
        await needs.jobs.insert(again, session);
      }
    },
  }),
});

/** A scheduled drill that a shutdown interrupted is rerun once. */
function needsRerun(job: JobRow, end: JobEnd): boolean {
  const { plannedAt, rerunOf } = job.parameters as DrillParameters;
  return wasInterrupted(end) && plannedAt !== null && rerunOf === undefined;
}

/** The evidence of a drill that had begun. */
async function record(session: StorageSession, job: JobRow, { status, error, outcome }: JobEnd) {
  const { verdict = 'none', archive = null, figures = null } = (outcome ?? {}) as Partial<DrillOutcome>;
  if (!figures) await removeResults(session, job.id);
  if (job.started_at === null || job.completed_at === null) return null;
  return session.insert(drills, {
    job_id: job.id,
    repository_id: job.repository_id,
    repository_name: job.repository_name,
    status,
    verdict,
    requested_by: job.requested_by,
    planned_at: (job.parameters as DrillParameters).plannedAt,
    started_at: job.started_at,
    ended_at: job.completed_at,
    archive_name: archive?.name ?? null,
    archive_tool_id: archive?.toolId ?? null,
    archive_start: archive?.start ?? null,
    archive_files: figures?.archiveFiles ?? 0,
    archive_bytes: figures?.archiveBytes ?? 0,
    restored_files: figures?.restoredFiles ?? 0,
    restored_bytes: figures?.restoredBytes ?? 0,
    failed_files: figures?.failedFiles ?? 0,
    not_examined_files: figures?.notExaminedFiles ?? 0,
    compared_with_source: figures?.comparedWithSource ?? 0,
    source_changed: figures?.sourceChanged ?? 0,
    coverage_percent: figures?.coveragePercent ?? null,
    ...errorColumns(error),
  });
}

/** The facts about a drill in the list of all jobs. */
export const drillJobFacts: JobKindFacts = {
  about: ({ outcome }) => {
    const { archive, figures } = (outcome ?? {}) as Partial<DrillOutcome>;
    return {
      archive: archive?.name ?? null,
      drilled_files: figures?.restoredFiles ?? null,
      failed_files: figures?.failedFiles ?? null,
    };
  },
  needsAdmin: () => true,
};
