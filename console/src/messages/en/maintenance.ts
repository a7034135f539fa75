import { plural } from '../../i18n/plural.js';

export default {
  damage: {
    title: 'A check found damage in this repository.',
    readLog: 'Open the check’s log',
    foundBy: (job: number) => `Found by check ${job},`,
    archives: (damaged: number, all: number) =>
      `${damaged} of ${all} archives are damaged. No damage was found in the others.`,
    whichUnknown: 'It is not known which archives are affected. The check’s log says what it found.',
    archivesOnly: 'Some archives remain damaged',
    safe: 'Undamaged files can still be restored. Schedules keep running and may prune archives: disable them until the repository is repaired.',
    steps: [
      'Restore what you need most, and check that it is intact.',
      'Copy the whole repository to another disk before you change anything.',
      'Find the cause: the disk, the memory, the connection.',
      'Back up to a new repository until this one is repaired.',
      'Repair it, and run a full check afterwards.',
    ],
  },
  open: {
    test: 'Test it now',
    opens: 'It can be opened again.',
    since: 'First noticed',
    givePassphrase: 'Enter the correct passphrase',
    giveKey: 'Add the key file',
    openHost: 'Review the host key',
    full: 'Nothing can be written to this repository',
  },
  sign: {
    title: (count: number) =>
      plural(count, { one: 'One archive is not signed', other: `${count} archives are not signed` }),
    refused:
      'The installed Borg still reads them. Borg 1.2.5 and later refuse them, and their repair deletes them. Sign them before you upgrade Borg.',
    button: 'Sign the archives',
    means:
      'Borg before 1.2.5 left archives without a valid signature when it renamed or repaired them. Their data is intact. Sign them only if no one else could write to this repository.',
  },
  identity: {
    olderButton: 'Accept the older state',
    olderMeans:
      'The repository was reset to an earlier state. Archives made since then are no longer listed.',
    button: 'Accept the other repository',
    title: 'A different repository is at this location. Accept it?',
    accept: 'Accept',
    means: (path: string) =>
      `The repository at ${path} is not the one that Holdfast knows, or its encryption has changed. Someone with write access may have replaced it. Accept it only if you know why. Its archives then replace the known ones.`,
    passphrase: 'Its passphrase',
    passphraseHint: 'Only if it has changed.',
  },
  paused: {
    title: (schedule: string) => `Pruning is paused for schedule “${schedule}”.`,
    openBackup: 'Open the backup',
    resume: 'Resume pruning',
    means:
      'The last backup lacked data, so older archives were kept. If the backup is correct, resume: its size then counts as normal, and old archives are pruned again.',
  },
  checks: {
    title: 'Checks',
    lead: 'A check finds damage before you need the data.',
    next: (when: string) => `Next scheduled check: ${when}.`,
    notPlanned: 'No check is scheduled.',
    plan: 'Schedule checks',
    never: 'Never checked.',
    history: 'Past checks',
    nothingFound: 'No damage',
    damageFound: 'Damage found',
    how: 'How often?',
    rhythms: {
      weekly: 'Each Sunday at 04:00',
      monthly: 'On the first of each month at 04:00',
      custom: 'As a cron expression',
      never: 'Manual only',
    },
    cron: 'Cron expression',
    cronHint: 'Minute, hour, day, month, weekday. Example: 30 3 * * 6 for Saturday at 03:30.',
    fields: {
      cron_expression: 'When to check',
      timezone: 'Time zone',
      max_duration: 'Time limit in seconds (0: full check)',
      verify_data: 'Verify all data',
    },
  },
  prune: {
    title: 'Prune',
    lead: 'Schedules with retention rules prune automatically. Here you can preview rules, and prune once.',
    whatWouldGo: 'Preview',
    show: 'Show preview',
    which: 'Which archives?',
    ofSchedule: (name: string) => `Archives of schedule “${name}”`,
    allArchives: 'All archives of the repository',
    keep: {
      hourly: 'Hourly',
      daily: 'Daily',
      weekly: 'Weekly',
      monthly: 'Monthly',
      quarterly: 'Quarterly',
      yearly: 'Yearly',
    },
    within: 'All newer than',
    withinHint: '10d, 4w, 6m',
    looking: 'Asking Borg. This may wait for running jobs.',
    fates: { kept: 'Kept', pinned: 'Pinned', removed: 'Removed' },
    timeline: 'Archives to keep and to remove',
    goes: (count: number, all: number) =>
      plural(count, {
        one: `One of ${all} archives would be removed.`,
        other: `${count} of ${all} archives would be removed.`,
      }),
    nothingGoes: (all: number) =>
      plural(all, {
        one: 'Nothing would be removed: the archive is kept.',
        other: `Nothing would be removed: all ${all} archives are kept.`,
      }),
    noArchives: 'No archives match.',
    moreThanHalf: 'This is more than half of the archives.',
    typeNumber: (count: number) => `Type ${count} to confirm`,
    remove: (count: number) =>
      plural(count, { one: 'Remove one archive', other: `Remove ${count} archives` }),
    started: 'The prune was queued.',
    rules: {
      counted: (period: string, place: number) => `kept: ${period} ${place}`,
      periods: {
        hourly: 'hourly',
        daily: 'daily',
        weekly: 'weekly',
        monthly: 'monthly',
        quarterly: 'quarterly',
        yearly: 'yearly',
        within: 'new enough',
      } as Record<string, string>,
      others: {
        removed: 'to be removed',
        'newest good archive': 'kept: the newest good one',
        'newest archive with all sources': 'kept: the newest complete one',
        'made by the run that prunes': 'kept: just made',
        'in the future': 'kept: its date is in the future',
      } as Record<string, string>,
      pinned: (reason: string) => `kept: pinned, ${reason}`,
      newestWith: (path: string) => `kept: the newest with ${path}`,
    },
  },
  lost: {
    unknown: 'Holdfast has no index of this repository, so it can’t say which files would be lost.',
    none: 'No file would be lost: other archives have versions of all of them.',
    noneYet: 'No file is known that would be lost.',
    some: (count: number, shown: string, size: string) =>
      plural(count, {
        one: `One file (${size}) would be lost: no other archive has a version of it.`,
        other: `${shown} files (${size}) would be lost: no other archive has a version of them.`,
      }),
    notIndexed: (count: number, shown: string) =>
      plural(count, {
        one: 'One archive is not indexed yet, so this may change.',
        other: `${shown} archives are not indexed yet, so this may change.`,
      }),
    byFolder: 'Folder',
    largest: 'The largest files',
  },
  compact: {
    appendOnly:
      'This repository is append-only: removed archives keep their space until its owner changes that.',
    title: 'Compact',
    lead: 'Removed archives take up space until the repository is compacted.',
    last: 'Last compacted:',
    freed: (size: string, count: number) =>
      plural(count, { one: `It freed ${size}.`, other: `The last ${count} times freed ${size} in all.` }),
    button: 'Compact now',
    started: 'The compact was queued.',
  },
  lock: {
    title: 'Lock',
    lead: 'Borg locks a repository while it writes. A lock left by a crash blocks all jobs.',
    button: 'Remove the lock',
    removed: 'The lock was removed.',
    holder: 'It was held by',
    means:
      'If another host is writing now, removing its lock can destroy the repository. Make sure that none is. Holdfast refuses while one of its own jobs uses the repository.',
  },
  repair: {
    title: 'Repair',
    lead: 'Only after a check found damage and you have copied the repository.',
    button: 'Repair the repository',
    means:
      'A repair restores what it can, and replaces lost parts of files with zeros. Data that is readable now may be lost afterwards.',
    copied: 'I have copied the repository.',
    deletes: 'The contents of these archives can’t be found any more. A repair deletes them:',
    mayDelete: 'The repair may delete these archives.',
    started: 'The repair was queued.',
  },
};
