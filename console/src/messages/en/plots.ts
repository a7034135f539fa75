import { plural } from '../../i18n/plural.js';

export default {
  range: 'Time shown',
  days: (count: number) => (count === 365 ? 'One year' : `${count} days`),
  nothingYet: 'No figures yet. They come with the first backup.',
  tooFew: 'Too little is known yet. Each backup adds to it.',
  when: 'When',
  after: 'After',
  growth: 'Growth',
  size: 'Size of the repository',
  original: 'Size of what is backed up',
  added: 'Added by each backup',
  same: (days: number) =>
    plural(days, { one: 'The same size as a day ago.', other: `The same size as ${days} days ago.` }),
  grew: (size: string, days: number) =>
    plural(days, { one: `Grew by ${size} in a day.`, other: `Grew by ${size} in ${days} days.` }),
  shrank: (size: string, days: number) =>
    plural(days, { one: `Shrank by ${size} in a day.`, other: `Shrank by ${size} in ${days} days.` }),
  unusual: (day: string, size: string, times: number) =>
    `On ${day} a backup added ${size}, ${times} times the usual: look for something to exclude.`,
  room: 'Room',
  free: 'Free at the place',
  forecast: 'At the present rate',
  roomUnknown: 'How much is free there is not known yet.',
  freeNow: (size: string) => `${size} free.`,
  neverFull: 'At the present rate it does not fill up.',
  fullIn: (time: string, day: string) => `At the present rate it is full ${time} (${day}).`,
  durations: 'Durations',
  ran: 'Ran',
  waited: 'Waited',
  waitedAndRan: 'With waiting',
  median: 'Median',
  noRuns: 'No backup was made in this time.',
  takes: (time: string, count: number) =>
    plural(count, {
      one: `The only backup took ${time}.`,
      other: `Half of the last ${count} backups took less than ${time}.`,
    }),
  newestOnly: (count: number) => `Only the newest ${count} jobs are shown.`,
  longest: (time: string, day: string) => `On ${day} one took ${time}.`,
  dedup: 'Deduplication and compression',
  ratio: 'Times smaller',
  packed: (times: string, count: string, each: string, size: string) =>
    `${times} smaller: ${count} archives of about ${each} each take ${size} together.`,
};
