import { nextInstants, parseCron } from '../calendar/cron.rules.js';
import { describeCron } from '../calendar/cron-text.rules.js';
import { isAppError } from '../kernel/errors.js';
import { isoTime } from '../kernel/iso-time.js';
import type { Dependencies } from '../dependencies.js';

export interface CronFields {
  minute: string;
  hour: string;
  day_of_month: string;
  month: string;
  day_of_week: string;
  timezone: string;
}

const shown = 10;

/** Never fails: what is wrong with an expression is the answer. */
export const validateCron =
  ({ clock }: Pick<Dependencies, 'clock'>) =>
  async ({ timezone, ...fields }: CronFields) => {
    const { minute, hour, day_of_month, month, day_of_week } = fields;
    const cron_expression = [minute, hour, day_of_month, month, day_of_week]
      .map((field) => field.trim())
      .join(' ');
    try {
      const rule = parseCron(cron_expression, timezone);
      const next_runs = nextInstants(rule, { after: clock.now(), count: shown }).map((at) => isoTime(at));
      const description = describeCron(cron_expression);
      return { success: true as const, cron_expression, next_runs, description };
    } catch (error) {
      if (!isAppError(error)) throw error;
      return { success: false as const, error: error.detail, cron_expression };
    }
  };
