import { parseArgsStringToArgv } from 'string-argv';
import { invalid } from '../kernel/errors.js';

/**
 * The arguments of a text such as `--one-file-system --exclude-if-present '.no backup'`; quotes group, nothing is
 * expanded. None for null. AppError `invalid` for a quote that is not closed and for NUL or line breaks.
 */
export function parseCustomFlags(text: string | null): string[] {
  if (text === null) return [];
  if (/[\0\r\n]/.test(text)) throw invalid('custom_flags must be one line without NUL.');
  const open = openQuote(text);
  if (open) throw invalid(`custom_flags has a ${open} that is not closed: close it, or leave it out.`);
  return parseArgsStringToArgv(text);
}

function openQuote(text: string): string | null {
  let open: string | null = null;
  for (const char of text) {
    if (open) open = char === open ? null : open;
    else if (char === '"' || char === "'") open = char;
  }
  return open;
}
