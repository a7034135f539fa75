import { clientSize } from '../../foundation/kernel/index.js';
import { duration, factsIn, type NotifiedFacts } from './notification-facts.rules.js';
import type { NotificationKind } from './notification-kind.rules.js';
import { reportRows } from './notification-report.rules.js';

export type MessageType = 'info' | 'success' | 'warning' | 'failure';

/** A message before it has a format. */
export interface EventText {
  title: string;
  type: MessageType;
  rows: [label: string, value: string][];
  problem: { label: 'Error' | 'Warning'; text: string } | null;
  advice: string | null;
  footer: string;
}

interface Form {
  title: string;
  type: MessageType;
  /** Begins the footer. */
  when: 'Started' | 'Completed' | 'Failed' | 'Noticed' | 'Written';
  rows(facts: NotifiedFacts): (Row | null)[];
  advice?(facts: NotifiedFacts): string;
}
type Row = [label: string, value: string];

const row = (label: string, value: string | null): Row | null => (value === null ? null : [label, value]);
const size = (label: string, bytes: number | null | undefined) =>
  row(label, bytes ? clientSize(bytes) : null);

const archive = (facts: NotifiedFacts) => row('Archive', facts.archive);
const place = (facts: NotifiedFacts) => [
  row('Repository', facts.repository),
  row('Location', facts.location),
];
const schedule = (facts: NotifiedFacts) => row('Schedule', facts.jobName);
const job = (facts: NotifiedFacts) => row('Job ID', facts.jobId === null ? null : `${facts.jobId}`);
const time = (facts: NotifiedFacts) =>
  row('Duration', facts.seconds === null ? null : duration(facts.seconds));

const made = (facts: NotifiedFacts) => [
  ...[archive(facts), ...place(facts), schedule(facts)],
  size('Original size', facts.sizes?.original),
  size('Compressed', facts.sizes?.compressed),
  row('Deduplicated', facts.sizes && clientSize(facts.sizes.deduplicated)),
  time(facts),
];
const checked = (facts: NotifiedFacts) => [
  row('Repository', facts.repository),
  row('Path', facts.location),
  row('Type', facts.checkType === 'scheduled' ? 'Scheduled' : 'Manual'),
  time(facts),
];

const about = (facts: NotifiedFacts) => [
  ...[row('About', facts.object), ...place(facts), schedule(facts)],
  row('Reason', facts.recovery),
  row('Since', facts.remindsOf === null ? null : `${utc(facts.remindsOf)} (reminder: the snooze is over)`),
];

const forms: Record<NotificationKind, Form> = {
  backup_start: {
    title: '🚀 Backup started',
    type: 'info',
    when: 'Started',
    rows: (facts) => [
      ...[archive(facts), ...place(facts), schedule(facts)],
      row('Sources', facts.sources.length === 0 ? null : facts.sources.map((path) => `\n• ${path}`).join('')),
      size('Expected size', facts.expectedSize),
    ],
  },
  backup_success: {
    title: '✅ Backup successful',
    type: 'success',
    when: 'Completed',
    rows: made,
  },
  backup_warning: {
    title: '⚠️ Backup completed with warnings',
    type: 'warning',
    when: 'Completed',
    rows: made,
    advice: () => 'Check the files that the warning names; the archive contains all others.',
  },
  backup_failure: {
    title: '❌ Backup failed',
    type: 'failure',
    when: 'Failed',
    rows: (facts) => [...place(facts), schedule(facts), job(facts)],
    advice: ({ jobId, cancelled }) =>
      cancelled
        ? 'No archive was created. Start the backup again when convenient.'
        : `Read the log of job ${jobId ?? ''} of this repository, fix the cause, and start the backup again.`,
  },
  restore_success: {
    title: '✅ Restore successful',
    type: 'success',
    when: 'Completed',
    rows: (facts) => [archive(facts), ...place(facts), row('Destination', facts.destination), time(facts)],
  },
  restore_failure: {
    title: '❌ Restore failed',
    type: 'failure',
    when: 'Failed',
    rows: (facts) => [archive(facts), ...place(facts), row('Destination', facts.destination), job(facts)],
    advice: () => "Fix the cause and restore again. The job's log says whether anything was changed.",
  },
  check_success: {
    title: '✅ Repository check completed',
    type: 'success',
    when: 'Completed',
    rows: checked,
  },
  check_failure: {
    title: '❌ Repository check failed',
    type: 'failure',
    when: 'Completed',
    rows: checked,
    advice: () =>
      'Read the log of the check before the next backup: archives in this repository may be damaged.',
  },
  schedule_failure: {
    title: '❌ Scheduled backup failed',
    type: 'failure',
    when: 'Failed',
    rows: (facts) => [schedule(facts), ...place(facts)],
    advice: () => 'This run made no backup. Correct the schedule, then run it or wait for its next run.',
  },
  backup_late: {
    title: '⏰ Backup late',
    type: 'failure',
    when: 'Noticed',
    rows: about,
    advice: () => "Start a backup, or see the last job's log for the reason.",
  },
  backup_on_time_again: {
    title: '✅ Backup on time again',
    type: 'success',
    when: 'Noticed',
    rows: about,
  },
  damaged: {
    title: '❌ Damage found',
    type: 'failure',
    when: 'Noticed',
    rows: about,
    advice: () =>
      'Do not delete or prune archives now. Read the log of the check, and copy the repository before a repair.',
  },
  damage_over: {
    title: '✅ Repository no longer damaged',
    type: 'success',
    when: 'Noticed',
    rows: about,
  },
  retention_paused: {
    title: '⚠️ Pruning paused',
    type: 'warning',
    when: 'Noticed',
    rows: about,
    advice: () => 'No archives are pruned until you check the sources and resume pruning.',
  },
  retention_resumed: {
    title: '✅ Pruning resumed',
    type: 'success',
    when: 'Noticed',
    rows: about,
  },
  incident: {
    title: '⚠️ Needs attention',
    type: 'warning',
    when: 'Noticed',
    rows: about,
  },
  incident_over: {
    title: '✅ Resolved',
    type: 'success',
    when: 'Noticed',
    rows: about,
  },
  report_weekly: {
    title: '📋 Weekly report',
    type: 'info',
    when: 'Written',
    rows: ({ report }) => (report ? reportRows(report) : []),
  },
};

export interface Notified {
  kind: NotificationKind;
  /** Milliseconds since the epoch. */
  at: number;
  data: Record<string, unknown>;
}

/** The text of a message about an event. */
export function textOf({ kind, at, data }: Notified): EventText {
  const facts = factsIn(data);
  const { title, type, when, rows, advice } = forms[kind];
  return {
    title,
    type,
    rows: rows(facts).filter((each) => each !== null),
    problem: problemOf(kind, facts),
    advice: advice?.(facts) ?? null,
    footer: `${when} at ${utc(at)}`,
  };
}

function problemOf(kind: NotificationKind, { warning, error }: NotifiedFacts): EventText['problem'] {
  const text = warning ?? (forms[kind].type === 'warning' ? error : null);
  if (text !== null) return { label: 'Warning', text: cut(text, longestText) };
  if (error === null || forms[kind].type !== 'failure') return null;
  return { label: 'Error', text: cut(error, kind === 'check_failure' ? 200 : longestText) };
}

const longestText = 2_000;

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** `2026-03-01 02:00:05 UTC` */
export const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
