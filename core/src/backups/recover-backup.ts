import type { JobContext, JobResult } from '../jobs/job-contract.js';
import type { Dependencies } from '../dependencies.js';
import { openTarget } from '../repositories/open-target.js';
import { findMade } from './find-made.js';
import { localSource } from './open-source.js';
import { unknownSources } from './pull/remote-source.js';

type Needs = Pick<Dependencies, 'storage' | 'driver' | 'files' | 'secrets' | 'redactor' | 'settings'>;

/** Asks the repository what became of a backup whose server process vanished: it is done when its archive is there. */
export const recoverBackup =
  (needs: Needs) =>
  async (context: JobContext): Promise<JobResult> => {
    const { target, release } = openTarget(needs)(context.repository);
    try {
      const source = sourceAfterwards(needs, context.repository);
      const toolOptions = () => ({ ...context.toolOptions(), lockWaitSeconds: 20 });
      return (await findMade(needs, { ...context, toolOptions }, { target, source })) ?? interrupted;
    } finally {
      release();
    }
  };

const interrupted: JobResult = {
  status: 'failed',
  error:
    'Interrupted: the service ended while this backup ran, and no archive was finished. ' +
    'Start it again; what was already transferred need not be sent twice.',
};

/** Another host is not asked again: an archive of it without any file counts as a backup of nothing. */
const sourceAfterwards = (needs: Needs, repository: JobContext['repository']) =>
  repository.source_connection_id === null
    ? localSource(needs, repository)
    : {
        connectionId: repository.source_connection_id,
        found: () => Promise.resolve(unknownSources(repository)),
        hasFile: () => Promise.resolve(true),
      };
