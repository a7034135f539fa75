import { posix } from 'node:path';

/** Flags of GNU tar for one exclude pattern, or why it can't be said to tar. */
export type TarExclude = { flags: string[] } | { problem: string };

interface Matching {
  pattern: string;
  anchored: boolean;
  wildcards: 'none' | 'within-names' | 'across-slashes';
}

/**
 * The tool matches from the first name of the path on, without its leading slash, and leaves out what lies below a
 * match, as tar does. A pattern with a slash at its end matches what is inside only.
 */
export function tarExclude(pattern: string): TarExclude {
  const [, style = 'fm', text = ''] = /^(?:(fm|sh|pp|pf|re):)?(.*)$/s.exec(pattern) ?? [];
  if (style === 're')
    return { problem: `The pattern "${pattern}" is a regular expression, which tar does not know.` };
  const plain = normal(text);
  if (style === 'pp' || style === 'pf') return flags({ pattern: plain, anchored: true, wildcards: 'none' });
  const wild = asFnmatch(text.endsWith('/') ? `${plain}/*` : plain);
  if (style === 'fm') return flags({ pattern: wild, anchored: true, wildcards: 'across-slashes' });
  const anywhere = wild.startsWith('**/');
  const rest = anywhere ? wild.slice(3) : wild;
  if (rest.includes('**'))
    return { problem: `The pattern "${pattern}" has "**" inside, which tar does not know.` };
  return flags({ pattern: rest, anchored: !anywhere, wildcards: 'within-names' });
}

const normal = (text: string): string => posix.normalize(text).replace(/^\/+/, '').replace(/\/+$/, '');

/** A backslash is a plain character for the tool, and `!` alone negates a set. */
const asFnmatch = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('[^', '[\\^');

function flags({ pattern, anchored, wildcards }: Matching): TarExclude {
  return {
    flags: [
      anchored ? '--anchored' : '--no-anchored',
      wildcards === 'none' ? '--no-wildcards' : '--wildcards',
      wildcards === 'across-slashes' ? '--wildcards-match-slash' : '--no-wildcards-match-slash',
      `--exclude=${pattern}`,
    ],
  };
}
