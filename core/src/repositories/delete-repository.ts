import { inTransaction } from '../kernel/in-transaction.js';
import { orphanFigures } from '../jobs/job-figures.js';
import {
  archives,
  checkSchedules,
  jobs,
  lanes,
  notificationRepositories,
  repositories,
  repositoryScripts,
} from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { forgetRepository } from '../schedules/forget-repository.js';
import { findRepository } from './find-repository.js';
import { forgetCaches } from './forget-caches.js';
import { refuseWhileJobs } from './unfinished-jobs.js';

/**
 * Removes the registration; the repository on disk stays. Jobs of the past stay without it. AppError
 * `not_found`, or `conflict` while a job of it waits or runs.
 */
export const deleteRepository =
  (needs: Pick<Dependencies, 'storage' | 'events' | 'driver' | 'log'>) => async (id: number) => {
    const { storage, events } = needs;
    const { row, recorded } = await inTransaction(storage, async (session) => {
      const row = await findRepository(session, { repository_id: id });
      await refuseWhileJobs(session, id);
      await session.remove(archives, { repository_id: id });
      const unscheduled = await forgetRepository(session, { repository: row, events });
      await session.remove(checkSchedules, { repository_id: id });
      await session.remove(notificationRepositories, { repository_id: id });
      await session.remove(repositoryScripts, { repository_id: id });
      await session.remove(lanes, { repository_id: id });
      await session.update(jobs, { repository_id: id }, { repository_id: null });
      await orphanFigures(session, id);
      await session.remove(repositories, { id });
      const data = { name: row.name, path: row.path };
      const event = await events.record(session, {
        kind: 'repository_deleted',
        repositoryId: id,
        jobId: null,
        data,
      });
      return { row, recorded: [...unscheduled, event] };
    });
    events.announce(recorded);
    await forgetCaches(needs, row.uid);
    const message = `Repository ${row.name} was unregistered; its data at ${row.path} is untouched.`;
    return { success: true as const, message };
  };
