import type { Value } from '../../settings/section.js';

const switches: Record<string, [name: string, value: boolean]> = {
  '-x': ['one_file_system', true],
  '--one-file-system': ['one_file_system', true],
  '--numeric-ids': ['numeric_ids', true],
  '--numeric-owner': ['numeric_ids', true],
  '--atime': ['atime', true],
  '--noatime': ['atime', false],
  '--noctime': ['ctime', false],
  '--nobirthtime': ['birthtime', false],
  '--read-special': ['read_special', true],
  '--noflags': ['flags', false],
  '--nobsdflags': ['flags', false],
  '--exclude-caches': ['exclude_caches', true],
  '--keep-exclude-tags': ['keep_exclude_tags', true],
  '--exclude-nodump': ['exclude_nodump', true],
};
const texts: Record<string, string> = {
  '--files-cache': 'files_cache',
  '--chunker-params': 'chunker_params',
};
const numbers: Record<string, string> = {
  '-c': 'checkpoint_interval',
  '--checkpoint-interval': 'checkpoint_interval',
  '--upload-ratelimit': 'upload_rate_limit',
  '--upload-buffer': 'upload_buffer_size',
};

export interface FlagOptions {
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
    const on = switches[name];
    const text = texts[name];
    const number = numbers[name];
    if (on) found.options[on[0]] = on[1];
    else if (text) found.options[text] = value();
    else if (number) found.options[number] = Number(value());
    else if (name === '--exclude-if-present') present.push(value());
    else if (name === '--pattern') found.patterns.push(patternLine(value()));
    else if (name === '--exclude' || name === '-e') found.patterns.push(excludeLine(value()));
    else found.others.push(word);
  }
  if (present.length > 0) found.options.exclude_if_present = present;
  return found;
}

const isStyled = (text: string): boolean => /^(fm|sh|re|pp|pf):/.test(text);

/** Without a style, a pattern of the command line is one of the shell. */
function patternLine(text: string): string {
  const rest = text.slice(1).trim();
  return `${text[0]} ${isStyled(rest) ? rest : `sh:${rest}`}`;
}

export const excludeLine = (text: string): string => `! ${isStyled(text) ? text : `fm:${text}`}`;

/** A word for a shell-like line, as `extra_borg_options` is read. */
export const quotedWord = (word: string): string =>
  /^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
