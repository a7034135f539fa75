import { KeptReads } from '../kernel/kept-reads.js';
import { jobs } from '../schema/tables.js';
import { backupJobView } from './backup-job-view.js';
import type { Dependencies } from '../dependencies.js';

export interface BackupJobsQuery {
  limit: number;
  scheduled_only: boolean;
  manual_only: boolean;
}

/** Newest first. When both filters are set, scheduled wins. */
export const listBackupJobs = ({ storage }: Pick<Dependencies, 'storage'>) => {
  const kept = new KeptReads(storage);
  return ({ limit, scheduled_only, manual_only }: BackupJobsQuery) => {
    const origin = scheduled_only ? { schedule_id: { not: null } } : manual_only ? { schedule_id: null } : {};
    return kept.read(JSON.stringify([limit, origin]), async () => {
      const rows = await storage.find(jobs, {
        where: { kind: 'backup', ...origin },
        order: [['id', 'desc']],
        limit,
      });
      return { success: true as const, jobs: rows.map(backupJobView) };
    });
  };
};
