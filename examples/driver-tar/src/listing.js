import { nameOfBytes } from '@holdfast/plugin-api/driver';

/** How tar must list entries for `parseLine`: one line per entry, whatever its name contains. */
export const listingFlags = ['--verbose', '--verbose', '--quoting-style=c', '--full-time', '--utc'];

const quoted = '"((?:[^"\\\\]|\\\\.)*)"';
const line = new RegExp(
  `^([-dlhbcpsDC])(\\S{9})\\S? (.+?)/(.+?) +(\\d+)(?:,\\d+)? (\\S+ [\\d:]+)(\\.\\d+)? +${quoted}(?: (->|link to) ${quoted})?$`,
);
const types = { '-': 'file', h: 'file', d: 'directory', l: 'symlink' };

/**
 * @param {string} text one line of tar's listing, as latin1
 * @returns {import('@holdfast/plugin-api/driver').ArchiveEntry | null} null for a line of another kind
 */
export function parseLine(text) {
  const found = line.exec(text);
  if (!found) return null;
  const [, kind, mode, user, group, size, time, fraction, name, arrow, target] = found;
  const linked = target === undefined ? null : nameOf(target);
  return {
    path: nameOf(name).replace(/\/$/, ''),
    type: types[kind] ?? 'other',
    mode: (kind === 'h' ? '-' : kind) + mode,
    user,
    group,
    size: kind === '-' ? Number(size) : 0,
    mtime: Date.parse(`${time.replace(' ', 'T')}Z`) + Number(fraction ?? 0) * 1000,
    hardLinkTarget: arrow === 'link to' ? linked : null,
    symlinkTarget: arrow === '->' ? linked : null,
    healthy: true,
  };
}

const escapes = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function nameOf(text) {
  const bytes = text.replace(/\\([0-7]{3}|.)/g, (_, code) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  );
  return nameOfBytes(Buffer.from(bytes, 'latin1'));
}

/** The lines of a stream, in batches of what arrived together. */
export async function* linesOf(stream) {
  let rest = '';
  for await (const piece of stream.setEncoding('latin1')) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop();
    if (lines.length > 0) yield lines;
  }
}
