import type { FoundSource } from '@holdfast/plugin-api/driver';
import { parseArgsStringToArgv } from 'string-argv';
import { invalid, type Message, say } from '../../foundation/kernel/index.js';

const levels = {
  none: null,
  lz4: null,
  zstd: { min: 1, max: 22 },
  zlib: { min: 0, max: 9 },
  lzma: { min: 0, max: 9 },
} as const;

/** Null for a compression that the tool supports, else a sentence about the problem. */
export function compressionProblem(text: string): Message | null {
  const [, hidden, plain = ''] = /^(?:obfuscate,([^,]*),)?(?:auto,)?(.*)$/s.exec(text) ?? [];
  if (hidden !== undefined && !/^([1-6]|11\d|12[0-3])$/.test(hidden))
    return say`compression_obfuscation_wrong: compression obfuscate takes a number from 1 to 6 or from 110 to 123, and then a compression (obfuscate,110,zstd).`;
  const [name = '', ...rest] = plain.split(',');
  if (!Object.hasOwn(levels, name)) {
    return say`compression_unknown: compression must be lz4, zstd, zlib, lzma or none, optionally with a level (zstd,10), also after auto (auto,zstd,10) or obfuscate (obfuscate,110,zstd,10), not ${{ compression: text }}.`;
  }
  if (rest.length === 0) return null;
  const range = levels[name as keyof typeof levels];
  if (range === null)
    return say`compression_without_level: compression ${{ compression: name }} takes no level.`;
  const [level = ''] = rest;
  const known = rest.length === 1 && /^\d{1,2}$/.test(level);
  if (known && Number(level) >= range.min && Number(level) <= range.max) return null;
  return say`compression_level_wrong: compression ${{ compression: name }} takes one level from ${{ min: range.min }} to ${{ max: range.max }}.`;
}

/**
 * Splits flags such as `--one-file-system --exclude-if-present '.no backup'` into arguments. Quotes group; nothing is
 * expanded. Null gives none. Throws AppError `invalid` for an unclosed quote, NUL or line breaks.
 */
export function parseCustomFlags(text: string | null): string[] {
  if (text === null) return [];
  if (/[\0\r\n]/.test(text))
    throw invalid(say`custom_flags_not_one_line: custom_flags must be one line without NUL.`);
  const open = openQuote(text);
  if (open)
    throw invalid(
      say`custom_flags_quote_open: custom_flags has an unclosed ${{ quote: open }}: close it, or leave it out.`,
    );
  return parseArgsStringToArgv(text);
}

/** Flags as one line, which `parseCustomFlags` splits again. */
export const customFlagsText = (flags: readonly string[]): string =>
  flags
    .map((flag) => (!/[\s'"]/.test(flag) ? flag : flag.includes('"') ? `'${flag}'` : `"${flag}"`))
    .join(' ');

function openQuote(text: string): string | null {
  let open: string | null = null;
  for (const char of text) {
    if (open) open = char === open ? null : open;
    else if (char === '"' || char === "'") open = char;
  }
  return open;
}

/** A source as the tool saves it: `--read-special` reads the device or pipe behind a symlink. */
export const asSaved =
  ({ custom_flags }: { custom_flags: string | null }) =>
  (found: FoundSource): FoundSource =>
    found.toSpecial && parseCustomFlags(custom_flags).includes('--read-special')
      ? { ...found, state: 'present' }
      : found;

export const symlinkRemark = ({ path, pointsTo }: FoundSource): Message =>
  pointsTo
    ? say`source_is_symlink: ${{ path }} is a symlink to ${{ target: pointsTo }}: only the link itself is backed up. Use the folder that it points to instead.`
    : say`source_is_symlink_elsewhere: ${{ path }} is a symlink: only the link itself is backed up. Use the folder that it points to instead.`;

/** Errors that keep a repository from being opened until a user acts. */
export const openErrorKinds = [
  'passphrase_wrong',
  'key_missing',
  'repository_missing',
  'not_a_repository',
  'other_repository',
  'older_state',
  'archive_unsigned',
] as const;
/** The repository can be read, but nothing can be written, in many cases not even the tool's lock. */
export const spaceErrorKinds = ['no_space', 'quota', 'repository_quota'] as const;
export type OpenErrorKind = (typeof openErrorKinds | typeof spaceErrorKinds)[number];

export const isSpaceError = (kind: string | null): boolean =>
  (spaceErrorKinds as readonly (string | null)[]).includes(kind);

/** The columns of a repository that opens. */
export const opens = { open_error: null, open_error_kind: null, open_error_at: null } as const;
