import type { Schemas } from '../../api/client.js';
import { t } from '../../i18n/messages.js';
import { keepInWords, timingInWords } from './plan-words.js';

type Plan = Pick<
  Schemas['ScheduleView'],
  | 'cron_expression'
  | 'timezone'
  | 'run_prune_after'
  | `prune_keep_${'hourly' | 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly' | 'within'}`
>;

/** `Every day at 02:00 Berlin; keeps 7 daily, 4 weekly and 6 monthly`. */
export const scheduleInWords = (plan: Plan): string =>
  t.schedules.sentence(
    timingInWords(plan.cron_expression, plan.timezone),
    keepInWords(plan.run_prune_after, plan),
  );
