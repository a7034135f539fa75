import { isStoreError, type StorageSession, StoreError } from '@holdfast/plugin-api';
import type { DrillOutcome } from './drill.rules.js';
import { type DrillRow, type DrillStandingRow, drillStandings } from './tables.js';

type Values = Omit<DrillStandingRow, 'id' | 'repository_id'>;

const nothing: Values = {
  passed_at: null,
  passed_drill_id: null,
  passed_files: null,
  failed_at: null,
  failed_job_id: null,
  failed_files: false,
  failure: null,
  coverage: null,
};
const noFailure = { failed_at: null, failed_job_id: null, failed_files: false, failure: null };

/** Records what a drill showed. Call it in the transaction that ends its job. */
export async function noteDrill(
  session: StorageSession,
  repositoryId: number,
  { drill, outcome }: { drill: DrillRow; outcome: DrillOutcome | null },
): Promise<void> {
  const [before] = await session.find(drillStandings, { where: { repository_id: repositoryId }, limit: 1 });
  const after = afterDrill(before ?? nothing, drill, outcome?.coverage ?? null);
  if (before) {
    await session.update(drillStandings, { id: before.id }, after);
    return;
  }
  try {
    await session.insert(drillStandings, { ...nothing, ...after, repository_id: repositoryId });
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw new StoreError('conflict', 'Another process recorded a drill.', { cause: error });
  }
}

/** A drill that could not be made does not hide that an earlier one found damage. */
function afterDrill(before: Values, drill: DrillRow, covered: Values['coverage']): Partial<Values> {
  const coverage = covered ? { coverage: covered } : {};
  const { ended_at: at, job_id, verdict, restored_files, id } = drill;
  if (verdict === 'passed') {
    return { ...coverage, passed_at: at, passed_drill_id: id, passed_files: restored_files, ...noFailure };
  }
  const isDamage = verdict === 'failed';
  if (before.failed_files && !isDamage) return coverage;
  const since = before.failed_at !== null && before.failed_files === isDamage ? before.failed_at : at;
  const failure = drill.error_message;
  return { ...coverage, failed_at: since, failed_job_id: job_id, failed_files: isDamage, failure };
}
