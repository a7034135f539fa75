import { plural } from '../../i18n/plural.js';

export default {
  headline: {
    empty: () => 'Nothing is protected yet.',
    protected: (total: number) =>
      plural(total, {
        one: 'Your repository is protected.',
        other: `Your ${total} repositories are protected.`,
      }),
    late: (count: number, total: number) =>
      total === 1
        ? 'Your backup is late.'
        : `${count} of ${total} backups ${count === 1 ? 'is' : 'are'} late.`,
    unknown: (count: number, total: number) =>
      total === 1
        ? 'Holdfast can’t confirm that your repository is protected.'
        : `Holdfast can’t confirm that ${count} of ${total} repositories ${count === 1 ? 'is' : 'are'} protected.`,
    noArchive: (count: number, total: number) =>
      total === 1
        ? 'Your repository has no archive yet.'
        : `${count} of ${total} repositories ${count === 1 ? 'has' : 'have'} no archive yet.`,
    drill: (count: number, total: number) =>
      total === 1
        ? 'The last restore drill failed.'
        : `The last restore drill failed for ${count} of ${total} repositories.`,
    damaged: (count: number, total: number) =>
      total === 1
        ? 'Your repository is damaged.'
        : `${count} of ${total} repositories ${count === 1 ? 'is' : 'are'} damaged.`,
    unreachable: (count: number, total: number) =>
      total === 1 ? 'Your repository can’t be opened.' : `${count} of ${total} repositories can’t be opened.`,
    classes: {
      damaged: (count: number) => `${count} damaged`,
      unreachable: (count: number) => `${count} can’t be opened`,
      late: (count: number) => `${count} late`,
      drill: (count: number) => `${count} with a failed restore drill`,
      unknown: (count: number) => `${count} unknown`,
      protected: (count: number) => `${count} protected`,
    },
  },
  oldest: (name: string, ago: string) => `Oldest backup: ${name} (${ago})`,
  nextRun: (name: string, when: string) => `Next: ${name}, ${when}.`,
  allPaused: (until: string) => `Schedules are paused until ${until}.`,
  waiting: (name: string) => `${name} waits.`,
  paused: (name: string, until: string) => `${name} is paused until ${until}.`,
  movedIn: (total: number, observed: number, first: string | null) =>
    [
      plural(total, { one: '1 imported repository', other: `${total} imported repositories` }) +
        (observed < total ? '' : plural(total, { one: ' is monitored only', other: ' are monitored only' })),
      observed > 0 && observed < total && `${observed} monitored only`,
      first ? `first backup ${first}` : observed < total && 'no backup scheduled',
    ]
      .filter(Boolean)
      .join('; ')
      .concat('.'),
  external: (count: number) =>
    plural(count, {
      one: 'Another program still backs up 1 repository.',
      other: `Another program still backs up ${count} repositories.`,
    }),
  noNextRun: 'Nothing is scheduled.',
  needsYou: (count: number) => `Needs attention (${count})`,
  more: (count: number) => `${count} more`,
  incidents: 'All incidents',
  why: 'Why',
  setUp: 'Add a notification channel',
  showEach: 'Show each',
  hideEach: 'Hide',
  andMore: (names: string, others: number) => (others > 0 ? `${names} and ${others} more` : names),
  causes: {
    damaged: (count: number) => `${count} repositories are damaged`,
    cannot_open: (count: number) => `${count} repositories can’t be opened`,
    mass_change: (count: number) => `Most files of ${count} repositories changed`,
    drill_failed: (count: number) => `The restore drill failed for ${count} repositories`,
    late: (count: number) => `${count} backups are late`,
    archives_unsigned: (count: number) => `${count} repositories have unsigned archives`,
    host_key_changed: (count: number) => `The host key of ${count} hosts changed`,
    delivery_parked: (count: number) => `${count} notification channels don’t deliver`,
    storage_full: (count: number) => `${count} storage locations are full`,
    storage_nearly_full: (count: number) => `${count} storage locations are nearly full`,
    schedule_failing: (count: number) => `${count} schedules fail`,
    planned_too_far: (count: number) => `${count} schedules run too rarely`,
    retention_paused: (count: number) => `Retention is paused for ${count} schedules`,
    archive_incomplete: (count: number) => `The newest archive of ${count} repositories is incomplete`,
    list_outdated: (count: number) =>
      `The archives of ${count} repositories have not been listed for a long time`,
    unknown: (count: number) => `It is unknown whether ${count} repositories are protected`,
    not_covered: (count: number) => `${count} repositories are in no enabled schedule`,
    other: (count: number) => `${count} similar problems`,
  },
  makeSheet: 'Create recovery sheet',
  backUpAll: 'Back up all',
  backupStarted: (name: string) => `Backup of ${name} started.`,
  snoozed: (until: string) => `snoozed until ${until}`,
  since: (when: string) => `since ${when}`,
  running: 'Running now',
  jobs: (running: number, waiting: number) =>
    [running > 0 && `${running} running`, waiting > 0 && `${waiting} waiting`].filter(Boolean).join(', '),
  stored: 'stored',
  days: '30 days',
  grew: (from: string, to: string) => `from ${from} to ${to} in 30 days`,
  fullFirst: (where: string, free: string, when: string) => `${where}: ${free} free, full ${when}`,
  today: (done: number, failed: number) => `Today: ${done} done, ${failed} failed`,
  activity: 'Show activity',
  isRunning: 'running now',
  percentDone: (name: string) => `Progress of ${name}`,
  find: 'Find a repository, host or tag',
  groupBy: 'Group by',
  host: 'Host',
  noTag: 'No tag',
  thisMachine: 'This server',
  newest: (ago: string) => `newest archive ${ago}`,
  noArchive: 'no archive yet',
  lastProof: 'Last verified',
  lastProofLead: 'A backup is verified when files have been restored from it and compared.',
  proven: (count: number, total: number) => `${count} of ${total} restored and compared within 90 days.`,
  provenEach: 'Each repository',
  drilled: (when: string) => `restored and compared ${when}`,
  restored: (when: string) => `restored ${when}`,
  checked: (when: string) => `fully checked ${when}`,
  neverProven: 'not verified yet',
  haveRepositories: 'I have Borg repositories',
  emptyLead: 'Choose what you can’t afford to lose. It takes about five minutes.',
};
