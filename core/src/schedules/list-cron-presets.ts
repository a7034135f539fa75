import { describeCron } from '../calendar/cron-text.rules.js';

const presets: [name: string, expression: string][] = [
  ['Every Minute', '* * * * *'],
  ['Every 5 Minutes', '*/5 * * * *'],
  ['Every 15 Minutes', '*/15 * * * *'],
  ['Every Hour', '0 * * * *'],
  ['Every 6 Hours', '0 */6 * * *'],
  ['Daily at Midnight', '0 0 * * *'],
  ['Daily at 2 AM', '0 2 * * *'],
  ['Weekly on Sunday', '0 0 * * 0'],
  ['Monthly on 1st', '0 0 1 * *'],
  ['Weekdays at 9 AM', '0 9 * * 1-5'],
  ['Weekends at 6 AM', '0 6 * * 0,6'],
];

/** Usual expressions, in the order in which a person would choose. */
export const listCronPresets = () => () => ({
  success: true as const,
  presets: presets.map(([name, expression]) => ({ name, expression, description: describeCron(expression) })),
});
