import { schedules } from '../../schema/tables.js';
import { scheduleView } from '../../views/schedule-view.js';
import type { Dependencies } from '../dependencies.js';
import { repositoriesOf } from './schedule-repositories.js';

/** In the order in which they were made. */
export const listSchedules =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async () => {
    const rows = await storage.find(schedules);
    const linked = await repositoriesOf(storage);
    const now = clock.now();
    const view = rows.map((row) => scheduleView(row, { repositories: linked.get(row.id) ?? [], now }));
    return { success: true as const, jobs: view };
  };
