import type { StorageSession } from '@holdfast/plugin-api';
import type { JobOutcome } from '../../engine/jobs/index.js';
import { isoTime, type Message, say } from '../../foundation/kernel/index.js';
import type { BackupWork } from '../hooks/index.js';
import { retentionPauses } from '../maintenance/tables.js';
import { type BackupOutcome, findRepository } from '../repositories/index.js';
import { massChangeReason } from './mass-change.rules.js';
import type { BackupsNeeds } from './needs.js';

/** Why no prune may follow a backup: earlier archives may contain data that it lacks. Null when one may. */
export function pruneSkipReason(outcome: JobOutcome | null | undefined): Message | null {
  const { lacking = [], collapsed, massChange } = (outcome ?? {}) as Partial<BackupOutcome>;
  if (lacking.length > 0)
    return say`archive_lacks_sources: these sources are missing from the archive or incomplete: ${{ sources: lacking }}`;
  if (massChange) return massChangeReason(massChange);
  return collapsed ? say`archive_far_smaller: the archive is far smaller than the last complete one` : null;
}

/** Logs in a scheduled backup when its prune is skipped, and why. */
export function withPruneSkipLogged({ storage }: BackupsNeeds, { run, recover }: BackupWork): BackupWork {
  const logging =
    (work: BackupWork['run']): BackupWork['run'] =>
    async (context, sources) => {
      const result = await work(context, sources);
      const { schedule_id } = context.job;
      if (schedule_id === null) return result;
      const reason =
        pruneSkipReason(result.outcome) ?? (await pauseReason(storage, schedule_id, context.repository.id));
      if (reason !== null) context.log({ level: 'warning', text: `Prune skipped: ${reason}` });
      return result;
    };
  return { run: logging(run), recover: logging(recover) };
}

async function pauseReason(session: StorageSession, schedule_id: number, repository_id: number) {
  const [pause] = await session.find(retentionPauses, { where: { schedule_id, repository_id }, limit: 1 });
  if (pause) return `retention is paused since ${isoTime(pause.since)}: ${pause.reason}`;
  const { mass_change } = await findRepository(session, { repository_id });
  return mass_change && `nothing is pruned until the changes of job ${mass_change.job_id} are accepted`;
}
