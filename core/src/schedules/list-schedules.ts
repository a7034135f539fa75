import { KeptReads } from '../kernel/kept-reads.js';
import { schedules } from '../schema/tables.js';
import { scheduleView } from './schedule-view.js';
import type { Dependencies } from '../dependencies.js';
import { repositoriesOf } from './schedule-repositories.js';

/** In the order in which they were made. */
export const listSchedules = ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) => {
  const kept = new KeptReads(storage);
  return () => {
    const now = clock.now();
    const make = async () => {
      const rows = await storage.find(schedules);
      const linked = await repositoriesOf(storage);
      const views = rows.map((row) => scheduleView(row, { repositories: linked.get(row.id) ?? [], now }));
      return { success: true as const, jobs: views };
    };
    // Of a disabled schedule the next run depends on the time, and cron text on no less than seconds.
    return kept.read('all', make, Math.floor(now / 1000));
  };
};
