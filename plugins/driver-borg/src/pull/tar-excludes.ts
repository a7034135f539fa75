import { posix } from 'node:path';

/** Flags of GNU tar for one exclude pattern, or why tar can't express it. */
export type TarExclude = { flags: string[] } | { problem: string };

interface Matching {
  pattern: string;
  anchored: boolean;
  wildcards: 'none' | 'within-names' | 'across-slashes';
}

/**
 * The tool matches from the first name of a path, without its leading slash, and excludes what is below a match, as
 * tar does. A pattern with a trailing slash matches only what is inside.
 */
export function tarExclude(pattern: string): TarExclude {
  const [, style = 'fm', text = ''] = /^(?:(fm|sh|pp|pf|re):)?(.*)$/s.exec(pattern) ?? [];
  if (style === 're')
    return { problem: `The pattern "${pattern}" is a regular expression, which tar does not support.` };
  const plain = normal(text);
  if (style === 'pp' || style === 'pf') return flags({ pattern: plain, anchored: true, wildcards: 'none' });
  const wild = asFnmatch(text.endsWith('/') ? `${plain}/*` : plain);
  if (style === 'fm') return flags({ pattern: wild, anchored: true, wildcards: 'across-slashes' });
  const anywhere = wild.startsWith('**/');
  const rest = anywhere ? wild.slice(3) : wild;
  if (rest.includes('**'))
    return { problem: `The pattern "${pattern}" has "**" inside, which tar does not support.` };
  return flags({ pattern: rest, anchored: !anywhere, wildcards: 'within-names' });
}

const normal = (text: string): string => posix.normalize(text).replace(/^\/+/, '').replace(/\/+$/, '');

/** For the tool, a backslash is a plain character, and only `!` negates a set. */
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
