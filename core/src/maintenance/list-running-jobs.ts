import { jobs } from '../schema/tables.js';
import { runningJobView } from './maintenance-job-view.js';
import type { Dependencies } from '../dependencies.js';

/** Of each kind of maintenance the job that runs on a repository now. */
export const listRunningJobs =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (repositoryId: number) => {
    const running = await storage.find(jobs, {
      where: { repository_id: repositoryId, status: 'running', kind: { in: ['check', 'compact', 'prune'] } },
    });
    const of = (kind: string) => {
      const job = running.find((each) => each.kind === kind);
      return job ? runningJobView(job) : null;
    };
    return {
      success: true as const,
      has_running_jobs: running.length > 0,
      check_job: of('check'),
      compact_job: of('compact'),
      prune_job: of('prune'),
    };
  };
