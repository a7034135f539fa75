import type { JobContext, JobHandler, JobOutcome, JobResult } from '../jobs/index.js';
import type { BackupOutcome } from '../repositories/index.js';

/** Why no prune may follow a backup: earlier archives may contain data that it lacks. Null when one may. */
export function pruneSkipReason(outcome: JobOutcome | null | undefined): string | null {
  const { lacking = [], collapsed } = (outcome ?? {}) as Partial<BackupOutcome>;
  if (lacking.length > 0)
    return `these sources are missing from the archive or incomplete: ${lacking.join(', ')}`;
  return collapsed ? 'the archive is far smaller than the last complete one' : null;
}

type Work = Pick<JobHandler, 'run' | 'recover'>;

/** Logs in a scheduled backup when its prune is skipped, and why. */
export function withPruneSkipLogged({ run, recover }: Work): Work {
  const logging =
    (work: Work['run']) =>
    async (context: JobContext): Promise<JobResult> => {
      const result = await work(context);
      const reason = pruneSkipReason(result.outcome);
      if (context.job.schedule_id !== null && reason !== null)
        context.log({ level: 'warning', text: `Prune skipped: ${reason}` });
      return result;
    };
  return { run: logging(run), recover: logging(recover) };
}
