import { DateTime } from 'luxon';

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
