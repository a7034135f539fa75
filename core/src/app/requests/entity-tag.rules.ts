import { createHash } from 'node:crypto';
import { AppError, invalid, say } from '../../foundation/kernel/index.js';

/**
 * The version of an object in an answer: `"<settings>-<whole>"`. The first part covers what users change, the
 * second the whole answer. The end of a backup, for example, changes only the second part.
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

/** The value of the `ETag` header. */
export const tagText = ({ settings, whole }: EntityTag): string => `"${settings}-${whole}"`;

const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/**
 * Throws AppError `precondition_failed` when no tag in `If-Match` matches the current settings; `invalid` for
 * a malformed header.
 */
export function assertMatches(header: string, current: EntityTag): void {
  const tags = tagsOf('If-Match', header);
  const matches =
    tags === 'any' || tags.some(({ weak, text }) => !weak && settingsIn(text) === current.settings);
  if (matches) return;
  throw new AppError(
    'precondition_failed',
    say`changed_since_read: It has changed since you read it: get it again, review what changed, and send your change with the new ETag.`,
  );
}

/** Whether a tag in `If-None-Match` equals the current one. Throws AppError `invalid`. */
export function isUnchanged(header: string, current: EntityTag): boolean {
  const tags = tagsOf('If-None-Match', header);
  return tags === 'any' || tags.some(({ text }) => text === `${current.settings}-${current.whole}`);
}

const settingsIn = (text: string) => /^([\w-]{16})-[\w-]{16}$/.exec(text)?.[1];

interface GivenTag {
  weak: boolean;
  text: string;
}

/** `*`, or comma-separated tags (RFC 9110, 8.8.3). */
function tagsOf(header: 'If-Match' | 'If-None-Match', value: string): GivenTag[] | 'any' {
  if (value.trim() === '*') return 'any';
  const rest = value.replace(/(W\/)?"[^"]*"/g, '');
  if (rest === value || !/^[ \t,]*$/.test(rest)) {
    throw invalid(
      say`entity_tags_malformed: ${{ header }} must be * or a comma-separated list of quoted tags, as sent in ETag.`,
    );
  }
  return [...value.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, text = '']) => ({
    weak: weak !== undefined,
    text,
  }));
}
