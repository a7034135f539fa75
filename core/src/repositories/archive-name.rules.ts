import { DateTime } from 'luxon';

/** Unfinished archives that the tool leaves behind when it is interrupted. */
export const isCheckpointName = (name: string): boolean => /\.checkpoint(\.\d+)?$/.test(name);

/** `2026-03-01T02:00:00`, UTC. */
const nameTime = (at: number): string => new Date(at).toISOString().slice(0, 19);

export const manualArchiveName = (startedAt: number): string => `manual-backup-${nameTime(startedAt)}`;

/** The name itself, or with `-2`, `-3`, … when it is taken. */
export function freeArchiveName(base: string, taken: (name: string) => boolean): string {
  let name = base;
  for (let n = 2; taken(name); n++) name = `${base}-${n}`;
  return name;
}

/** True for what an interrupted backup left whose name was to be `base`, also with the ending that made it free. */
export function isCheckpointOf(base: string, name: string): boolean {
  if (!isCheckpointName(name) || !name.startsWith(base)) return false;
  return /^(-\d+)*(\.checkpoint(\.\d+)?)+$/.test(name.slice(base.length));
}

/**
 * What every archive of ours says of itself. Anyone who may write to the repository can copy it: it is a hint where to
 * look for what was recorded, and never a proof.
 */
export interface ArchiveOrigin {
  installation: string;
  /** Random ids; in comments of before there were any, the numbers of the rows. Null for a backup started by hand. */
  schedule: string | number | null;
  job: string | number;
}

const former = /^holdfast:1:([^:]+):(-|\d+):(\d+)$/;
const current = /^holdfast:2:([^:]+):(-|[0-9a-z]+):([0-9a-z]+)$/;

export const formatArchiveComment = ({ installation, schedule, job }: ArchiveOrigin): string =>
  `holdfast:${typeof job === 'number' ? 1 : 2}:${installation}:${schedule ?? '-'}:${job}`;

/** Null for a comment that we did not write. */
export function parseArchiveComment(comment: string): ArchiveOrigin | null {
  const [, installation = '', schedule = '', job = ''] = current.exec(comment) ?? [];
  if (job) return { installation, schedule: schedule === '-' ? null : schedule, job };
  const [, place = '', before = '', number] = former.exec(comment) ?? [];
  if (number === undefined) return null;
  return { installation: place, schedule: before === '-' ? null : Number(before), job: Number(number) };
}

/** What the placeholders of a template stand for. */
export interface ArchiveNameFacts {
  scheduleName: string;
  repositoryName: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** IANA name: the zone of `{now}`, `{date}` and `{time}`. */
  timeZone: string;
}

const placeholders = ['job_name', 'repo_name', 'now', 'date', 'time', 'timestamp'] as const;
type Placeholder = (typeof placeholders)[number];

/** borg hides every archive whose name holds this, as one that is not finished. */
const checkpointMark = '.checkpoint';

/** Names of archives without a template: schedules of several repositories have the repository in them. */
export const defaultTemplate = (severalRepositories: boolean): string =>
  severalRepositories ? '{job_name}-{repo_name}-{now}' : '{job_name}-{now}';

/**
 * The archive's name. Placeholders are replaced in one pass: braces in the name of a schedule stay what they are.
 * White space, slashes and what can't be handed to a tool become `-`. Empty only where `checkTemplate` has a problem.
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

/** What is wrong with a template, for people, to stand after the name of the field; or null. */
export function checkTemplate(template: string): string | null {
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].find(([, name = '']) => !isPlaceholder(name));
  if (unknown) return `unknown placeholder ${unknown[0]}: ${known}`;
  if (/[{}]/.test(template.replace(/\{\w+\}/g, ''))) {
    return `a brace belongs to no placeholder: ${known}`;
  }
  if (template.includes(checkpointMark)) {
    return `a name with ${checkpointMark} in it is taken for an unfinished archive: choose another.`;
  }
  if (/^[\s/\\-]*$/.test(template)) {
    return 'it gives an empty name: send null for the default name.';
  }
  return null;
}

const known = `use ${placeholders.map((name) => `{${name}}`).join(', ')}.`;

const isPlaceholder = (name: string): name is Placeholder =>
  (placeholders as readonly string[]).includes(name);

function valuesOf({
  scheduleName,
  repositoryName,
  at,
  timeZone,
}: ArchiveNameFacts): Record<Placeholder, string> {
  // The locale of the process must not choose the digits.
  const timeIn = (zone: string) => DateTime.fromMillis(at, { zone, locale: 'en-US' });
  const local = timeIn(timeZone).isValid ? timeIn(timeZone) : timeIn('UTC');
  const date = local.toFormat('yyyy-MM-dd');
  const time = local.toFormat('HH:mm:ss');
  return {
    job_name: scheduleName,
    repo_name: repositoryName,
    now: `${date}T${time}`,
    date,
    time,
    timestamp: String(Math.floor(at / 1000)),
  };
}
