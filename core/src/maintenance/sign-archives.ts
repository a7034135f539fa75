import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext, JobResult } from '../jobs/index.js';
import { type Caller, invalid, say } from '../kernel/index.js';
import type { CheckParameters } from './maintenance-job.rules.js';
import { type StartNeeds, startManually } from './maintenance-jobs.js';
import type { MaintenanceNeeds } from './needs.js';

export const cannotSign = say('sign_unsupported')`The backup tool of this installation cannot sign archives.`;

/** Signs what an old version of the tool left without a valid signature. */
export async function sign(
  { driver }: Pick<MaintenanceNeeds, 'driver'>,
  { log, toolOptions }: Pick<JobContext, 'log' | 'toolOptions'>,
  target: RepositoryTarget,
): Promise<JobResult> {
  if (!driver.signArchives) return { status: 'failed', error: cannotSign };
  const { signed } = (await driver.signArchives(target, {}, toolOptions())).value;
  for (const name of signed) log({ level: 'info', text: `Signed: ${name}` });
  log({ level: 'info', text: `${signed.length} archives were signed.` });
  return { status: 'completed', error: null, progress: { percent: 100, message: null } };
}

/** Throws as `startManually`. */
export const startSigning =
  (needs: StartNeeds & Pick<MaintenanceNeeds, 'driver'>) => async (caller: Caller, repositoryId: number) => {
    if (!needs.driver.signArchives) throw invalid(cannotSign);
    const nothingElse = { maxSeconds: 0, verifyData: false, repair: false, plannedAt: null };
    const parameters: CheckParameters = { ...nothingElse, sign: true };
    return startManually(needs)(caller, {
      ...{ kind: 'check', what: 'Signing', repositoryId, parameters, writes: true },
    });
  };
