import type { ToolProgress } from '@holdfast/plugin-api/driver';
import type { JobContext, JobHandler, JobResult } from '../../engine/jobs/index.js';
import { inOwnTransaction, succeeded } from '../../engine/jobs/index.js';
import type { Caller } from '../../foundation/kernel/index.js';
import { humanSize, say, together, toolWarnings } from '../../foundation/kernel/index.js';
import { noteRepository, openTarget } from '../repositories/index.js';
import type { NoteSchedule } from '../schedules/calendar/index.js';
import type { CompactOutcome, CompactParameters } from './maintenance-job.rules.js';
import { observedOnly, type StartNeeds, startManually } from './maintenance-jobs.js';
import type { MaintenanceNeeds } from './needs.js';
import { finishAfterCompact, setMaintenanceStatus } from './queue-maintenance.js';

export type CompactNeeds = MaintenanceNeeds;

const nothingFreed = say`compact_append_only: No space was freed: the repository is append-only, so removed archives keep their space until its owner changes that.`;

/** Frees the space of removed archives. */
async function runCompact(needs: CompactNeeds, context: JobContext): Promise<JobResult> {
  if (context.repository.mode === 'observe') {
    return { status: 'failed', error: observedOnly() };
  }
  await reportStart(needs, context);
  const { target, release } = openTarget(needs, context.repository);
  try {
    const onProgress = (progress: ToolProgress) => context.progress(shown(progress));
    const { value, warnings } = await needs.driver.compact(
      target,
      {},
      { ...context.toolOptions(), onProgress },
    );
    const { freedBytes, appendOnly = false } = value;
    const outcome: CompactOutcome = { freedBytes, ...(appendOnly && { appendOnly }) };
    context.log({ level: 'info', text: appendOnly ? String(nothingFreed) : freed(freedBytes) });
    // For a schedule, this is as it should be.
    const byHand = (context.job.parameters as CompactParameters).scheduleId === null;
    const remarks = [...(appendOnly && byHand ? [nothingFreed] : []), ...toolWarnings(warnings)];
    return {
      status: remarks.length > 0 ? 'completed_with_warnings' : 'completed',
      error: together(remarks),
      outcome,
      progress: { percent: 100, message: null },
    };
  } finally {
    release();
  }
}

/** A run that has lost the job must not overwrite the final maintenance status. */
function reportStart({ storage }: CompactNeeds, { job }: JobContext): Promise<void> {
  const { backupJobId } = job.parameters as CompactParameters;
  return inOwnTransaction(storage, job, (session) =>
    setMaintenanceStatus(session, backupJobId, 'running_compact'),
  );
}

/** Whether an interrupted compact finished can't be seen in the repository, so it always counts as failed. */
const recoverCompact = async (): Promise<JobResult> => ({
  status: 'failed',
  error: say`compact_interrupted: Interrupted: Holdfast stopped during the compact. No archive is affected; the next compact frees the remaining space.`,
});

function shown({ current, total, message }: ToolProgress) {
  const percent = current !== undefined && total ? { percent: Math.min(100, (100 * current) / total) } : {};
  return { ...percent, ...(message === undefined ? {} : { message }) };
}

const freed = (bytes: number | null): string =>
  bytes === null
    ? 'Compacted; Borg did not report how much space it freed.'
    : `Freed ${humanSize(bytes)} (${bytes} bytes).`;

export const compactHandler = (
  needs: CompactNeeds & MaintenanceNeeds,
  noteSchedule: NoteSchedule,
): JobHandler => ({
  kind: 'compact',
  lane: 'exclusive',
  run: runCompact.bind(null, needs),
  recover: recoverCompact,
  settle: (job, end, repository) => ({
    commit: async (session) => {
      if (succeeded(end.status)) {
        const now = { last_compact: needs.clock.now() };
        const { appendOnly: append_only = false } = (end.outcome ?? {}) as Partial<CompactOutcome>;
        const { scheduleId } = job.parameters as CompactParameters;
        if (scheduleId !== null && end.status === 'completed') {
          await noteSchedule(session, scheduleId, now);
        }
        if (repository) await noteRepository(session, repository.id, { ...now, append_only });
      }
      await finishAfterCompact(session, { job, end, repository });
    },
  }),
});

/** Throws as `startManually`. */
export async function startCompact(needs: StartNeeds, caller: Caller, repositoryId: number) {
  const parameters: CompactParameters = { scheduleId: null, backupJobId: null, pruneFailed: false };
  return startManually(needs, caller, {
    kind: 'compact',
    what: 'Compact',
    repositoryId,
    parameters,
    writes: true,
  });
}
