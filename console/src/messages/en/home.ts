import { plural } from '../../i18n/plural.js';

export default {
  title: 'Home',
  headline: {
    empty: () => 'Nothing is protected yet.',
    protected: (total: number) =>
      plural(total, {
        one: 'Your repository is protected.',
        other: `All ${total} repositories are protected.`,
      }),
    late: (count: number, total: number) =>
      total === 1
        ? 'Your repository is late.'
        : `${count} of ${total} repositories ${count === 1 ? 'is' : 'are'} late.`,
    unknown: (count: number, total: number) =>
      total === 1
        ? 'It is unknown whether your repository is protected.'
        : `For ${count} of ${total} repositories, protection is unknown.`,
    drill: (count: number, total: number) =>
      total === 1
        ? 'The last restore drill failed.'
        : `The last restore drill of ${count} of ${total} repositories failed.`,
    damaged: (count: number, total: number) =>
      total === 1
        ? 'Your repository is damaged.'
        : `${count} of ${total} repositories ${count === 1 ? 'is' : 'are'} damaged.`,
    unreachable: (count: number, total: number) =>
      total === 1 ? 'Your repository can’t be opened.' : `${count} of ${total} repositories can’t be opened.`,
    classes: {
      damaged: (count: number) => `${count} damaged`,
      unreachable: (count: number) => `${count} unreachable`,
      late: (count: number) => `${count} late`,
      drill: (count: number) => `${count} with a failed restore drill`,
      unknown: (count: number) => `${count} unknown`,
      protected: (count: number) => `${count} protected`,
    },
  },
  oldest: (name: string, ago: string) => `Furthest behind: ${name}, ${ago}.`,
  nextRun: (name: string, when: string) => `Next: ${name}, ${when}.`,
  movedIn: (total: number, observed: number, first: string | null) =>
    [
      plural(total, { one: 'Moved in: 1 repository', other: `Moved in: ${total} repositories` }),
      observed > 0 && (observed === total ? 'monitor only' : `${observed} of them monitor only`),
      first ? `first backup ${first}` : observed < total && 'no backup planned',
    ]
      .filter(Boolean)
      .join('; ')
      .concat('.'),
  elsewhere: (count: number) =>
    plural(count, {
      one: '1 repository is still backed up by something else.',
      other: `${count} repositories are still backed up by something else.`,
    }),
  noNextRun: 'Nothing is planned.',
  needsYou: (count: number) => `Needs you (${count})`,
  more: (count: number) => `${count} more`,
  incidents: 'All incidents',
  why: 'Why',
  setUp: 'Add a channel',
  makeSheet: 'Make a sheet',
  backUpNow: 'Back up now',
  backupStarted: (name: string) => `Backup of ${name} started.`,
  snoozed: (until: string) => `snoozed until ${until}`,
  since: (when: string) => `since ${when}`,
  running: 'Running now',
  percentDone: (name: string) => `Progress of ${name}`,
  repositories: 'Repositories',
  newest: (ago: string) => `newest archive ${ago}`,
  noArchive: 'no archive yet',
  lastProof: 'Last proof',
  lastProofLead:
    'A backup is proven when files were restored from it and compared, as a drill does. A full check is the next best thing.',
  drilled: (when: string) => `restored and compared ${when}`,
  restored: (when: string) => `restored ${when}`,
  checked: (when: string) => `fully checked ${when}`,
  neverProven: 'never restored or fully checked',
  protectFolder: 'Protect a folder',
  haveRepositories: 'I have Borg repositories',
  emptyLead: 'Choose what you can’t afford to lose. It takes about five minutes.',
};
