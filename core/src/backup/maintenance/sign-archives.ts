import { isDriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext, JobResult } from '../../engine/jobs/index.js';
import { type Caller, invalid, say, together, toolWarnings } from '../../foundation/kernel/index.js';
import { archives } from '../repositories/tables.js';
import type { CheckParameters } from './maintenance-job.rules.js';
import { type StartNeeds, startManually } from './maintenance-jobs.js';
import type { MaintenanceNeeds } from './needs.js';
import { refreshInventory } from './refresh-inventory.js';

const cannotSign = say`sign_unsupported: The backup driver of this installation cannot sign archives.`;

/**
 * Signs what an old version of the tool left without a valid signature. Signed archives keep all that is recorded of
 * them. `resumed`: this job began before, and has held the lane since.
 */
export async function sign(
  needs: MaintenanceNeeds,
  context: JobContext,
  { target, resumed }: { target: RepositoryTarget; resumed: boolean },
): Promise<JobResult> {
  const { log, progress, toolOptions, lost } = context;
  if (!needs.driver.signArchives) return { status: 'failed', error: cannotSign };
  const unlisted = (error: unknown) => {
    // A tool that refuses such archives knows itself which they are.
    if (!isDriverError(error, 'archive_unsigned')) throw error;
  };
  await refreshInventory(needs, context, { target, afterRepair: resumed }).catch(unlisted);
  const unsigned = await unsignedIn(needs, context.repository.id);
  const signed = new Set<string>();
  const input = {
    archives: unsigned,
    onSigned(name: string) {
      signed.add(name);
      log({ level: 'info', text: `Signed: ${name}` });
    },
  };
  try {
    const { warnings } = await needs.driver.signArchives(target, input, {
      ...toolOptions(),
      onProgress: ({ current = 0, total = 1, message = null }) =>
        progress({ percent: (100 * current) / total, message }),
    });
    log({ level: 'info', text: `${signed.size} archives were signed.` });
    const status = warnings.length === 0 ? 'completed' : 'completed_with_warnings';
    const error = together(toolWarnings(warnings));
    return { status, error, progress: { percent: 100, message: null } };
  } finally {
    // Before anybody else finds their new ids.
    const atTheEnd = { ...context, toolOptions: () => ({ ...toolOptions(), signal: lost }) };
    await refreshInventory(needs, atTheEnd, { target, afterRepair: true, signed }).catch(() => {});
  }
}

/** Names of the archives that are known to lack a valid signature, oldest first. */
export const unsignedIn = async ({ storage }: Pick<MaintenanceNeeds, 'storage'>, repository_id: number) => {
  const where = { repository_id, unsigned: true };
  return (await storage.find(archives, { where, order: [['start', 'asc']] })).map(({ name }) => name);
};

/** Throws as `startManually`. */
export async function startSigning(
  needs: StartNeeds & MaintenanceNeeds,
  caller: Caller,
  repositoryId: number,
) {
  if (!needs.driver.signArchives) throw invalid(cannotSign);
  const nothingElse = { maxSeconds: 0, verifyData: false, repair: false, plannedAt: null };
  const parameters: CheckParameters = { ...nothingElse, sign: true };
  return startManually(needs, caller, {
    kind: 'check',
    what: 'Signing',
    repositoryId,
    parameters,
    writes: true,
  });
}
