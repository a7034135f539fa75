import { plural } from '../../i18n/plural.js';

export default {
  every: 'Runs',
  choices: {
    day: 'Every day',
    days: 'On certain days of the week',
    hour: 'Every hour',
    custom: 'Custom (cron)',
    manual: 'Manual only',
  },
  time: 'At',
  minute: 'Minutes past the hour',
  onDays: 'Days',
  cron: 'Cron expression',
  cronHint: 'Five fields: minute, hour, day of month, month, day of week.',
  zone: 'Time zone',
  nextRuns: 'The next five runs',
  alsoHere: (there: string, here: string) => `${there} (${here} here)`,
  manual: 'Manual only',
  hourly: (minute: number) => (minute === 0 ? 'Every hour' : `Every hour, ${minute} minutes past`),
  byCron: (cron: string, place: string) => `Cron expression ${cron} (${place})`,
  daily: (time: string, place: string) => `Every day at ${time} ${place}`,
  weekdays: (time: string, place: string) => `Monday to Friday at ${time} ${place}`,
  onCertainDays: (days: string, time: string, place: string) => `On ${days} at ${time} ${place}`,
  keep: 'How long archives are kept',
  presets: { light: 'Light', standard: 'Standard', long: 'Long', everything: 'Everything' },
  everythingMeans: 'Nothing is removed. The repository keeps growing.',
  ownCounts: 'Custom counts',
  counts: {
    hourly: 'Hourly',
    daily: 'Daily',
    weekly: 'Weekly',
    monthly: 'Monthly',
    quarterly: 'Quarterly',
    yearly: 'Yearly',
  },
  within: 'And everything from the last',
  keepsNothing: 'These counts keep nothing. Set at least one above 0.',
  keepsEverything: 'keeps everything',
  keeps: (what: string) => `keeps ${what}`,
  allOf: 'all',
  noLimit: 'no limit',
  keptOf: {
    hourly: (count: string) => `${count} hourly`,
    daily: (count: string) => `${count} daily`,
    weekly: (count: string) => `${count} weekly`,
    monthly: (count: string) => `${count} monthly`,
    quarterly: (count: string) => `${count} quarterly`,
    yearly: (count: string) => `${count} yearly`,
  },
  allWithin: (time: string) => `all of the last ${time}`,
  simulated: (kept: number, shown: string, made: string, oldest: string) =>
    plural(kept, {
      one: `After 400 days, ${shown} of ${made} archives is left, from ${oldest}.`,
      other: `After 400 days, ${shown} of ${made} archives are left, the oldest from ${oldest}.`,
    }),
  daysAgo: (days: number) => `${days} days ago`,
  today: 'today',
  existing: 'Existing archives',
  noneYet: 'These rules apply to no archive yet.',
  /** Before the schedule is saved. */
  allStay: (count: number, shown: string) =>
    plural(count, {
      one: `The existing archive is kept. A new schedule does not prune it; you can adopt it later.`,
      other: `All ${shown} existing archives are kept. A new schedule does not prune them; you can adopt them later.`,
    }),
  wouldStay: (all: string, kept: number, shown: string) =>
    plural(kept, {
      one: `Of the ${all} archives of this schedule, ${shown} would be kept.`,
      other: `Of the ${all} archives of this schedule, ${shown} would be kept.`,
    }),
};
