import { createHash } from 'node:crypto';
import { AppError, invalid } from '../kernel/index.js';

/**
 * The version of an object as it is shown: `"<settings>-<whole>"`. The first part stands for what people change, the
 * second for everything that the answer holds: a backup that ends changes the second part only.
 */
export interface EntityTag {
  settings: string;
  whole: string;
}

/** `changing`: fields, at any depth, that the service itself changes. */
export function tagOf(shown: object, changing: ReadonlySet<string>): EntityTag {
  const settings = JSON.stringify(shown, (name, value) => (changing.has(name) ? undefined : value));
  return { settings: hash(settings), whole: hash(JSON.stringify(shown)) };
}

/** As it stands in `ETag`. */
export const tagText = ({ settings, whole }: EntityTag): string => `"${settings}-${whole}"`;

const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/** AppError `precondition_failed` when none of the tags of `If-Match` has the settings as they are; `invalid`. */
export function refuseUnlessMatching(header: string, current: EntityTag): void {
  const tags = tagsOf('If-Match', header);
  const matches =
    tags === 'any' || tags.some(({ weak, text }) => !weak && settingsIn(text) === current.settings);
  if (matches) return;
  throw new AppError(
    'precondition_failed',
    'It was changed since you read it: get it again, look at what changed, and send your change with its new ETag.',
  );
}

/** Whether one of the tags of `If-None-Match` is the very same. AppError `invalid`. */
export function isUnchanged(header: string, current: EntityTag): boolean {
  const tags = tagsOf('If-None-Match', header);
  return tags === 'any' || tags.some(({ text }) => text === `${current.settings}-${current.whole}`);
}

const settingsIn = (text: string) => /^([\w-]{16})-[\w-]{16}$/.exec(text)?.[1];

interface GivenTag {
  weak: boolean;
  text: string;
}

/** `*`, or tags with commas between them (RFC 9110, 8.8.3). */
function tagsOf(header: 'If-Match' | 'If-None-Match', value: string): GivenTag[] | 'any' {
  if (value.trim() === '*') return 'any';
  const rest = value.replace(/(W\/)?"[^"]*"/g, '');
  if (rest === value || !/^[ \t,]*$/.test(rest)) {
    throw invalid(`${header} must be * or tags in quotation marks, as ETag gave them, with commas between.`);
  }
  return [...value.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, text = '']) => ({
    weak: weak !== undefined,
    text,
  }));
}
