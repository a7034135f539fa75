import { isStyled, switches, withValue } from './flag-options.js';
import type { Value } from './tree.js';

const switched = new Map(
  switches.flatMap(([name, when, ...flags]) => flags.map((flag) => [flag, { name, when }] as const)),
);
const valued = new Map(
  withValue.flatMap(([name, of, ...flags]) => flags.map((flag) => [flag, { name, of }] as const)),
);

interface FlagOptions {
  options: Value;
  /** Patterns and excludes among the flags, in their order, as lines of borgmatic. */
  patterns: string[];
  /** For `extra_borg_options`. */
  others: string[];
}

/** The options of borgmatic for flags of `borg create` that Holdfast accepted. */
export function optionsOfFlags(flags: readonly string[]): FlagOptions {
  const found: FlagOptions = { options: {}, patterns: [], others: [] };
  const present: string[] = [];
  for (let at = 0; at < flags.length; at++) {
    const word = flags[at] as string;
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    const value = () => (equals < 0 ? (flags[++at] ?? '') : word.slice(equals + 1));
    const on = switched.get(name);
    const given = valued.get(name);
    if (on) found.options[on.name] = on.when;
    else if (given) found.options[given.name] = given.of === 'number' ? Number(value()) : value();
    else if (name === '--exclude-if-present') present.push(value());
    else if (name === '--pattern') found.patterns.push(patternLine(value()));
    else if (name === '--exclude' || name === '-e') found.patterns.push(excludeLine(value()));
    else found.others.push(word);
  }
  if (present.length > 0) found.options.exclude_if_present = present;
  return found;
}

/** Without a style, a pattern of the command line is one of the shell. */
function patternLine(text: string): string {
  const rest = text.slice(1).trim();
  return `${text[0]} ${isStyled(rest) ? rest : `sh:${rest}`}`;
}

export const excludeLine = (text: string): string => `! ${isStyled(text) ? text : `fm:${text}`}`;
