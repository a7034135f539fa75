import type { RepositoryTarget } from '../ports/backup-driver.js';
import type { JobContext, JobResult } from '../jobs/job-contract.js';
import type { Dependencies } from '../dependencies.js';
import { openTarget } from '../repositories/open-target.js';
import { readStoredSize } from './stored-size.js';

type Needs = Pick<Dependencies, 'driver' | 'secrets' | 'redactor'>;

const archiveOf = ({ job }: JobContext): string => String(job.parameters.archive);

const withTarget =
  (work: (needs: Needs, context: JobContext, target: RepositoryTarget) => Promise<JobResult>) =>
  (needs: Needs) =>
  async (context: JobContext): Promise<JobResult> => {
    const { target, release } = openTarget(needs)(context.repository);
    try {
      return await work(needs, context, target);
    } finally {
      release();
    }
  };

/** Deletes the job's archive by its exact name. An archive that someone else deleted before is a warning. */
export const runArchiveDeletion = withTarget(async (needs, context, target) => {
  const archive = archiveOf(context);
  if (context.repository.mode === 'observe') {
    return { status: 'failed', error: 'The repository is in observe mode, which only reads.' };
  }
  context.progress({ percent: 50, message: `Deleting archive ${archive}` });
  const { value, warnings } = await needs.driver.deleteArchives(
    target,
    { archives: [archive] },
    context.toolOptions(),
  );
  const all =
    value.missing.length > 0 ? [`Archive ${archive} was not there any more.`, ...warnings] : warnings;
  return {
    status: all.length > 0 ? 'completed_with_warnings' : 'completed',
    error: all.length > 0 ? all.join(' ') : null,
    outcome: { repositoryStoredSize: await readStoredSize(needs, context, target) },
    progress: { percent: 100, message: null },
  };
});

/** Asks the repository what became of a deletion whose server process vanished. */
export const recoverArchiveDeletion = withTarget(async ({ driver }, context, target) => {
  const options = { ...context.toolOptions(), lockWaitSeconds: 20 };
  const listed = await driver.listArchives(target, {}, options);
  const archive = archiveOf(context);
  if (!listed.value.some(({ name }) => name === archive))
    return { status: 'completed', progress: { percent: 100 } };
  return {
    status: 'failed',
    error:
      'Interrupted: the service ended while the archive was being deleted, and it is still there. Delete it again.',
  };
});
