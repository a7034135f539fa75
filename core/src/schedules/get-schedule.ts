import { cronRule, nextInstants } from '../calendar/cron.rules.js';
import { isoTime } from '../kernel/iso-time.js';
import type { Dependencies } from '../dependencies.js';
import { viewSchedule } from './view-schedule.js';

const shown = 5;

/** With its next five runs, counted from now. AppError `not_found`. */
export const getSchedule =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (id: number) => {
    const now = clock.now();
    const job = await viewSchedule(storage, { id, now });
    const rule = cronRule(job);
    const next = rule ? nextInstants(rule, { after: now, count: shown }) : [];
    return { success: true as const, job: { ...job, next_runs: next.map((at) => isoTime(at)) } };
  };
