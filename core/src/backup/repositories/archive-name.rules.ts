import { DateTime } from 'luxon';
import { type Message, say } from '../../foundation/kernel/index.js';

/** True for an unfinished archive that an interrupted tool leaves behind. */
export const isCheckpointName = (name: string): boolean => /\.checkpoint(\.\d+)?$/.test(name);

/** The name of an archive, also while a copy stands in for it: see `signArchives` of the driver. */
export const lastingName = (name: string): string => name.replace(/\.signing-[0-9a-f]{12}$/, '');

/** `manual-backup-2026-03-01T02:00:00`, in that zone: the one of the repository's schedules, as in their names. */
export const manualArchiveName = (at: number, timeZone = 'UTC'): string =>
  `manual-backup-${timesOf(at, timeZone).now}`;

/** The name itself, or with `-2`, `-3`, … appended when it is taken. */
export function freeArchiveName(base: string, taken: (name: string) => boolean): string {
  let name = base;
  for (let n = 2; taken(name); n++) name = `${base}-${n}`;
  return name;
}

/**
 * True for the checkpoint of an interrupted backup to be named `base`, also with a suffix that made the name unique.
 */
export function isCheckpointOf(base: string, name: string): boolean {
  if (!isCheckpointName(name) || !name.startsWith(base)) return false;
  return /^(-\d+)*(\.checkpoint(\.\d+)?)+$/.test(name.slice(base.length));
}

/**
 * The comment that this service writes into every archive. Anyone who may write to the repository can copy it, so it
 * is only a hint to the recorded job, never proof.
 */
export interface ArchiveOrigin {
  installation: string;
  /** Random ids, or row numbers in old comments. Null for a manual backup. */
  schedule: string | number | null;
  job: string | number;
  /** It holds a copy of the service itself, with its secret key. */
  itself?: true;
}

const former = /^holdfast:1:([^:]+):(-|\d+):(\d+)$/;
const current = /^holdfast:2:([^:]+):(-|[0-9a-z]+):([0-9a-z]+)(:itself)?$/;

export const formatArchiveComment = ({ installation, schedule, job, itself }: ArchiveOrigin): string =>
  `holdfast:${typeof job === 'number' ? 1 : 2}:${installation}:${schedule ?? '-'}:${job}${itself ? ':itself' : ''}`;

/** Null for a comment that this service did not write. */
export function parseArchiveComment(comment: string): ArchiveOrigin | null {
  const [, installation = '', schedule = '', job = '', itself] = current.exec(comment) ?? [];
  if (job)
    return {
      installation,
      schedule: schedule === '-' ? null : schedule,
      job,
      ...(itself && { itself: true }),
    };
  const [, place = '', before = '', number] = former.exec(comment) ?? [];
  if (number === undefined) return null;
  return { installation: place, schedule: before === '-' ? null : Number(before), job: Number(number) };
}

/** Values for the placeholders of a template. */
export interface ArchiveNameFacts {
  scheduleName: string;
  repositoryName: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** IANA name of the zone for `{now}`, `{date}` and `{time}`. */
  timeZone: string;
}

const placeholders = ['job_name', 'repo_name', 'now', 'date', 'time', 'timestamp'] as const;
type Placeholder = (typeof placeholders)[number];

/** borg hides archives with this in their name as unfinished. */
const checkpointMark = '.checkpoint';

/** The default name of archives. For schedules with several repositories it includes the repository. */
export const defaultTemplate = (severalRepositories: boolean): string =>
  severalRepositories ? '{job_name}-{repo_name}-{now}' : '{job_name}-{now}';

/**
 * The name of the archive. Placeholders are replaced in one pass, so braces in the name of a schedule stay. White
 * space, slashes, control characters and surrogates become `-`. Empty only when `checkTemplate` reports a problem.
 */
export function renderArchiveName(template: string, facts: ArchiveNameFacts): string {
  const values: Record<Placeholder, string> = valuesOf(facts);
  const filled = template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    isPlaceholder(name) ? values[name] : whole,
  );
  return filled
    .trim()
    .replace(/[\s/\\\p{Cc}\p{Surrogate}]+/gu, '-')
    .replaceAll(checkpointMark, '-checkpoint');
}

/** What is wrong with a template, or null. */
export function checkTemplate(template: string): Message | null {
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].find(([, name = '']) => !isPlaceholder(name));
  if (unknown) {
    return say`archive_name_placeholder_unknown: archive_name_template: unknown placeholder ${{ placeholder: unknown[0] }}: use ${{ known }}.`;
  }
  if (/[{}]/.test(template.replace(/\{\w+\}/g, ''))) {
    return say`archive_name_brace_stray: archive_name_template: a brace is not part of a placeholder: use ${{ known }}.`;
  }
  if (template.includes(checkpointMark)) {
    return say`archive_name_of_unfinished: archive_name_template: a name with ${{ mark: checkpointMark }} in it counts as an unfinished archive: choose another.`;
  }
  if (/^[\s/\\-]*$/.test(template)) {
    return say`archive_name_empty: archive_name_template: it gives an empty name: send null for the default name.`;
  }
  return null;
}

const known = placeholders.map((name) => `{${name}}`);

const isPlaceholder = (name: string): name is Placeholder =>
  (placeholders as readonly string[]).includes(name);

function valuesOf({
  scheduleName,
  repositoryName,
  at,
  timeZone,
}: ArchiveNameFacts): Record<Placeholder, string> {
  return {
    job_name: scheduleName,
    repo_name: repositoryName,
    ...timesOf(at, timeZone),
    timestamp: String(Math.floor(at / 1000)),
  };
}

function timesOf(at: number, timeZone: string) {
  // The locale of the process must not affect the digits.
  const timeIn = (zone: string) => DateTime.fromMillis(at, { zone, locale: 'en-US' });
  const local = timeIn(timeZone).isValid ? timeIn(timeZone) : timeIn('UTC');
  const date = local.toFormat('yyyy-MM-dd');
  const time = local.toFormat('HH:mm:ss');
  return { date, time, now: `${date}T${time}` };
}
