import { posix } from 'node:path';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import { flagsAndValues } from './custom-flags.js';
import { asGlob, type Glob, matchesGlob, type Tokens } from './glob.js';

/** Without its leading slash, as the tool stores and matches it. */
interface Path {
  text: string;
  segments: string[];
}
type Matcher = (path: Path) => boolean;

/** Matches as borg does, but never in more than quadratic time: a pattern of a user must not stop the service. */
export const excludes: NonNullable<BackupDriver['excludes']> = (patterns, customFlags = []) => {
  const matchers: Matcher[] = [];
  const known: Tokens = new Map();
  const unknown: string[] = [];
  const take = (pattern: string, style?: string, shown = pattern) => {
    const matcher = matcherOf(pattern, known, style);
    if (matcher) matchers.push(matcher);
    else unknown.push(shown);
  };
  for (const pattern of patterns) take(pattern);
  const flags = flagsAndValues(customFlags);
  for (const { name, value } of flags) {
    const [, rule, pattern = ''] = /^([+!-])\s*(.*)$/s.exec(value ?? '') ?? [];
    if (name === '-e' || name === '--exclude') take(value ?? '');
    // What is included again can't be told without its order.
    else if (name === '--pattern' && rule !== '+') take(pattern, 'sh', `--pattern=${value}`);
    else if (byContent.has(name)) unknown.push(value === null ? name : `${name}=${value}`);
  }
  const excluded = (path: string) => {
    const text = path.replace(/^\/+/, '');
    const asked = { text, segments: text.split('/') };
    return matchers.some((matches) => matches(asked));
  };
  return { excluded, unknown, oneFileSystem: flags.some(({ name }) => oneFileSystem.has(name)) };
};

/** Whether these leave something out depends on what is in a folder, or on other patterns. */
const byContent = new Set(['--pattern', '--exclude-caches', '--exclude-if-present', '--exclude-nodump']);
const oneFileSystem = new Set(['-x', '--one-file-system']);

const needsNormalising = /(?:^|\/)\.{0,2}(?:\/|$)/;
const normalised = (text: string) => posix.normalize(text).replace(/^\/+/, '').replace(/\/+$/, '');

/** Null for regular expressions, whose dialect is Python's, and for what has no clear meaning. */
function matcherOf(pattern: string, known: Tokens, usual = 'fm'): Matcher | null {
  const [, style = usual, text = ''] = /^(?:([A-Za-z0-9]{2}):)?(.*)$/s.exec(pattern) ?? [];
  const plain = needsNormalising.test(text) ? normalised(text) : text;
  const onlyInside = text.endsWith('/');
  if (style === 'pf') return ({ text: path }) => path === plain;
  if (style === 'pp') return ({ text: path }) => `${path}/`.startsWith(`${plain}/`);
  if (style === 'sh') return shellMatcher(plain, known, onlyInside);
  if (style !== 'fm') return null;
  const glob = asGlob(onlyInside ? `${plain}/*/` : `${plain}/*`, known);
  return glob && (({ text: path }) => matchesGlob(glob, `${path}/`));
}

/** `**` for whole names, or a glob for one name. */
type Step = '**' | Glob;

/** Stars stay within a name; two stars and a slash stand for any number of names. */
function shellMatcher(plain: string, known: Tokens, onlyInside: boolean): Matcher | null {
  const steps: Step[] = [];
  for (const name of plain.split('/')) {
    if (name !== '**' && name.endsWith('**')) return null;
    const step = name === '**' ? name : asGlob(name, known);
    if (!step) return null;
    steps.push(step);
  }
  return ({ segments }) => {
    let places = withSkipped(steps, new Set([0]));
    for (const [n, segment] of segments.entries()) {
      // What is below a match is excluded, too.
      if (n > 0 && places.has(steps.length)) return true;
      const next = new Set<number>();
      for (const place of places) {
        const step = steps[place];
        if (step === '**') next.add(place);
        else if (step && matchesGlob(step, segment)) next.add(place + 1);
      }
      places = withSkipped(steps, next);
    }
    return !onlyInside && places.has(steps.length);
  };
}

/** Any number of names may be none. */
function withSkipped(steps: readonly Step[], places: Set<number>): Set<number> {
  for (const place of places) if (steps[place] === '**') places.add(place + 1);
  return places;
}
