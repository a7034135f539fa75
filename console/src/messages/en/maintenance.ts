import { plural } from '../../i18n/plural.js';

export default {
  damage: {
    title: 'A check found damage in this repository.',
    readLog: 'Read the log of the check',
    foundBy: (job: number) => `Found by check ${job},`,
    archives: (damaged: number, all: number) =>
      `${damaged} of ${all} archives are known to be damaged. The others are not known to be.`,
    whichUnknown: 'Which archives it touches is not known: the log of the check says what it found.',
    archivesOnly: 'Archives stay damaged',
    safe: 'What was not hit can still be restored. Schedules go on, and remove old archives if they have rules: switch them off until it is repaired.',
    steps: [
      'Restore what you need most, and look whether it is whole.',
      'Copy the whole repository to another disk before you change anything.',
      'Look for the cause: the disk, the memory, the connection.',
      'Back up into a new repository until this one is repaired.',
      'Repair it, and run a full check afterwards.',
    ],
  },
  open: {
    test: 'Test it now',
    opens: 'It opens again.',
    since: 'First noticed',
    givePassphrase: 'Give the right passphrase',
    giveKey: 'Give the key file',
    openHost: 'Look at the host key',
    full: 'Nothing can be written to this repository',
  },
  sign: {
    title: (count: number) =>
      plural(count, { one: 'One archive is not signed', other: `${count} archives are not signed` }),
    refused:
      'The installed Borg still reads them. Borg from 1.2.5 on refuses them, and its repair deletes them: sign them before you use a newer one.',
    button: 'Sign the archives',
    means:
      'Borg before 1.2.5 left archives without a valid signature when it renamed or repaired them. Their data is intact. Signing accepts them as they are now: do it only if nobody else could write to this repository.',
  },
  identity: {
    olderButton: 'Accept the older state',
    olderMeans:
      'The repository was put back to an earlier state. Holdfast forgets what it knew of the later one: archives made in between are not listed any more.',
    button: 'Accept the other repository',
    title: 'Accept another repository at this place?',
    accept: 'Accept it',
    means: (path: string) =>
      `At ${path} lies another repository than the one registered here, or its encryption has changed. Somebody who can write there may have put it there. Accept it only if you know why. Its archives then replace those that are known.`,
    passphrase: 'Its passphrase',
    passphraseHint: 'Only if it is another one than before.',
  },
  paused: {
    title: (schedule: string) => `The schedule ${schedule} removes no archives here.`,
    openBackup: 'Look at the backup',
    resume: 'Let it remove again',
    means:
      'The last backup lacked data, so older archives were kept. If it is as it should be, its size counts as normal from now on, and old archives are removed by the rules again.',
  },
  checks: {
    title: 'Checks',
    lead: 'A check finds damage before you need the data.',
    next: (when: string) => `Next planned check: ${when}.`,
    notPlanned: 'No check is planned.',
    plan: 'Plan checks',
    never: 'Never checked.',
    history: 'Past checks',
    nothingFound: 'No damage',
    damageFound: 'Damage found',
    how: 'How often?',
    rhythms: {
      weekly: 'Each Sunday at 04:00',
      monthly: 'On the first of each month at 04:00',
      custom: 'As a cron expression',
      never: 'Never by itself',
    },
    cron: 'Cron expression',
    cronHint: 'Minute, hour, day, month, weekday. Example: 30 3 * * 6 for Saturday at 03:30.',
    fields: {
      cron_expression: 'Time of the checks',
      timezone: 'Time zone',
      max_duration: 'Longest time in seconds (0: a full check)',
      verify_data: 'Verify all data',
    },
  },
  prune: {
    title: 'Remove old archives',
    lead: 'Schedules do this by themselves if they have rules. Here you see what rules would do, and can do it once.',
    whatWouldGo: 'What would go?',
    show: 'Show what would go',
    which: 'Which archives?',
    ofSchedule: (name: string) => `Those of the schedule ${name}`,
    allArchives: 'All archives of the repository',
    keep: {
      hourly: 'Hourly',
      daily: 'Daily',
      weekly: 'Weekly',
      monthly: 'Monthly',
      quarterly: 'Quarterly',
      yearly: 'Yearly',
    },
    within: 'All younger than',
    withinHint: '10d, 4w, 6m',
    looking: 'Holdfast asks the backup tool. This may wait for running jobs.',
    timeline: 'Archives that stay and go',
    goes: (count: number, all: number) =>
      plural(count, {
        one: `One of ${all} archives would go.`,
        other: `${count} of ${all} archives would go.`,
      }),
    nothingGoes: (all: number) =>
      plural(all, {
        one: 'Nothing would go: the archive stays.',
        other: `Nothing would go: all ${all} archives stay.`,
      }),
    noArchives: 'There are no such archives.',
    moreThanHalf: 'This is more than half of the archives.',
    typeNumber: (count: number) => `Type ${count} to confirm`,
    remove: (count: number) =>
      plural(count, { one: 'Remove one archive', other: `Remove ${count} archives` }),
    started: 'The removal was queued.',
    rules: {
      counted: (period: string, place: number) => `stays: ${period} ${place}`,
      periods: {
        hourly: 'hourly',
        daily: 'daily',
        weekly: 'weekly',
        monthly: 'monthly',
        quarterly: 'quarterly',
        yearly: 'yearly',
        within: 'young enough',
      } as Record<string, string>,
      others: {
        removed: 'goes',
        'newest good archive': 'stays: the newest good one',
        'newest archive with all sources': 'stays: the newest complete one',
        'made by the run that prunes': 'stays: just made',
        'in the future': 'stays: its date is in the future',
      } as Record<string, string>,
      newestWith: (path: string) => `stays: the newest with ${path}`,
    },
  },
  compact: {
    appendOnly:
      'This repository is append-only: removed archives keep their space until its owner changes that.',
    title: 'Free space',
    lead: 'Removed archives take up room until the repository is compacted.',
    last: 'Last compacted:',
    freed: (size: string, count: number) =>
      plural(count, { one: `It freed ${size}.`, other: `The last ${count} times freed ${size} in all.` }),
    button: 'Compact now',
    started: 'The compact was queued.',
  },
  lock: {
    title: 'Lock',
    lead: 'Borg locks a repository while it writes. A lock that stays behind after a crash stops everything.',
    button: 'Remove the lock',
    removed: 'The lock is removed.',
    holder: 'It was held by',
    means:
      'If another machine is writing right now, removing its lock can destroy the repository. Make sure that nothing is. Holdfast refuses while one of its own jobs uses it.',
  },
  repair: {
    title: 'Repair',
    lead: 'Only after a check found damage, and after copying the repository.',
    button: 'Repair the repository',
    means:
      'A repair puts back what it can, and replaces lost parts of files by zeros. What is still readable now may be lost afterwards.',
    copied: 'I have copied the repository first.',
    deletes: 'The contents of these archives cannot be found any more. A repair deletes them:',
    mayDelete: 'The repair may delete these archives.',
    started: 'The repair was queued.',
  },
};
