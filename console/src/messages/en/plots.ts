import { plural } from '../../i18n/plural.js';

export default {
  range: 'Time shown',
  days: (count: number) => (count === 365 ? 'One year' : `${count} days`),
  nothingYet: 'No data yet. It comes with the first backup.',
  tooFew: 'Not enough data yet. Each backup adds to it.',
  when: 'When',
  after: 'After',
  growth: 'Growth',
  size: 'Size of the repository',
  original: 'Size of the source data',
  added: 'Added by each backup',
  same: (days: number) =>
    plural(days, { one: 'The same size as a day ago.', other: `The same size as ${days} days ago.` }),
  grew: (size: string, days: number) =>
    plural(days, { one: `Grew by ${size} in a day.`, other: `Grew by ${size} in ${days} days.` }),
  shrank: (size: string, days: number) =>
    plural(days, { one: `Shrank by ${size} in a day.`, other: `Shrank by ${size} in ${days} days.` }),
  unusual: (day: string, size: string, times: number) =>
    `On ${day} a backup added ${size}, ${times} times the usual. Check for files to exclude.`,
  folders: {
    title: 'Which folders grew',
    needsIndex:
      'This needs two archives in the index. Unless it is turned off, Holdfast builds it in the background.',
    between: (from: string, to: string) => `From the archive of ${from} to that of ${to}.`,
    up: 'Up',
    directly: 'Files directly in it',
    same: 'No folder grew or shrank.',
    index: (indexed: string, all: string, size: string) => `Index: ${indexed} of ${all} archives, ${size}.`,
    onlyLargest: 'Only the largest changes are shown.',
    notIndexed: (count: number, shown: string) =>
      plural(count, {
        one: 'One archive is not indexed yet.',
        other: `${shown} archives are not indexed yet.`,
      }),
  },
  room: 'Storage',
  free: 'Free space',
  freeNow: (size: string) => `${size} free.`,
  neverFull: 'At the current rate it does not fill up.',
  fullIn: (time: string, day: string) => `At the current rate it is full ${time} (${day}).`,
  durations: 'Durations',
  ran: 'Ran',
  waited: 'Waited',
  waitedAndRan: 'Including waiting',
  median: 'Median',
  noRuns: 'No backups in this period.',
  takes: (time: string, count: number) =>
    plural(count, {
      one: `The only backup took ${time}.`,
      other: `Half of the last ${count} backups took less than ${time}.`,
    }),
  newestOnly: (count: number) => `Only the newest ${count} jobs are shown.`,
  longest: (time: string, day: string) => `On ${day} one took ${time}.`,
  packed: (times: string) => `${times} times smaller than separately`,
};
