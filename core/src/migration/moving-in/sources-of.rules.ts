import { compressionProblem, customFlagsText } from '../../backup/repositories/index.js';
import { type Message, normalised, say } from '../../foundation/kernel/index.js';
import { type GivenOption, parseCreate } from './command-line.rules.js';

export interface SuggestedSources {
  sources: string[];
  excludes: string[];
  compression: string | null;
  /** For the custom flags of a repository; null without any. */
  flags: string | null;
  confidence: 'high' | 'medium' | 'low';
  remarks: Message[];
}

/** Options that change what is saved, and that a repository may have as custom flags. */
const kept: ReadonlySet<string> = new Set([
  ...['-x', '--one-file-system', '--exclude-caches', '--keep-exclude-tags', '--exclude-nodump'],
  ...['--numeric-ids', '--numeric-owner', '--noatime', '--atime', '--noctime', '--nobirthtime'],
  ...['--nobsdflags', '--noflags', '--noacls', '--noxattrs', '--sparse', '--read-special'],
  ...['--exclude-if-present', '--files-cache', '--chunker-params'],
]);
const renamed: Readonly<Record<string, string>> = { '--keep-tag-files': '--keep-exclude-tags' };
/** Options that read from a file or a program, whose contents the archive does not have. */
const elsewhere: ReadonlySet<string> = new Set(['--exclude-from', '--patterns-from']);
const fromPrograms: ReadonlySet<string> = new Set([
  ...['--content-from-command', '--paths-from-stdin', '--paths-from-command', '--paths-from-shell-command'],
]);

/** Limit against hostile archives: far longer than any command that a user types. */
const mostLetters = 256 * 1024;
export const isTooLong = (words: readonly string[]): boolean =>
  words.reduce((sum, word) => sum + word.length, 0) > mostLetters;
const tooLong = say`suggestion_command_too_long: The command that created the newest archive is too long to be read: enter the sources yourself.`;

/** Reads sources, excludes and compression from a command line. */
export function sourcesOf(words: readonly string[]): SuggestedSources {
  if (isTooLong(words)) return { ...nothing, remarks: [tooLong] };
  const command = parseCreate(words);
  if (!command) return { ...nothing, remarks: [notCreated(words)] };
  const { options, paths } = command;
  const remarks: Message[] = [];
  if (options.some(({ name }) => fromPrograms.has(name))) return { ...nothing, remarks: [fromProgram] };
  const roots = options.flatMap(({ name, value }) =>
    name === '--pattern' ? (/^R\s+(.+)$/s.exec(value ?? '')?.[1] ?? []) : [],
  );
  const sources: string[] = [];
  for (const path of [...roots, ...paths]) {
    if (path === '-') remarks.push(standardInput);
    else if (path.startsWith('/')) sources.push(withoutMark(path));
    else remarks.push(relative(path));
  }
  for (const { name, value } of options) {
    if (!elsewhere.has(name)) continue;
    const temporary = /^\/(tmp|run|var\/tmp|private)\//.test(value ?? '');
    remarks.push(temporary ? temporaryFile(value ?? '') : patternFile(name, value ?? ''));
  }
  const { excludes, flags: patternFlags } = excludesOf(options);
  const given = options.findLast(({ name }) => name === '-C' || name === '--compression')?.value ?? null;
  const problem = given === null ? null : compressionProblem(given);
  if (problem && given !== null) remarks.push(otherCompression(given));
  const flags = customFlagsText([...options.flatMap(flagOf), ...patternFlags]);
  return {
    sources: [...new Set(sources)],
    excludes: [...new Set(excludes)],
    compression: problem ? null : (given ?? 'lz4'),
    flags: flags === '' ? null : flags,
    confidence: sources.length === 0 ? 'low' : remarks.length > 0 ? 'medium' : 'high',
    remarks,
  };
}

const nothing: Omit<SuggestedSources, 'remarks'> = {
  sources: [],
  excludes: [],
  compression: null,
  flags: null,
  confidence: 'low',
};

/**
 * Excludes as they were given. Patterns after one that includes mean something only together and in their order, so
 * all of them then become flags.
 */
function excludesOf(options: readonly GivenOption[]): { excludes: string[]; flags: string[] } {
  // Both kinds of options differ in the style of a pattern that names none; `P` changes it for those that follow.
  let style = 'sh';
  const inOrder = options.flatMap(({ name, value }) => {
    const text = value ?? '';
    if (name === '-e' || name === '--exclude')
      return text === '' ? [] : [{ sign: '-', text: styled(text, 'fm') }];
    if (name !== '--pattern') return [];
    style = /^P\s+(\w+)$/.exec(text)?.[1] ?? style;
    const [, sign, pattern] = /^([+\-!])\s*(.+)$/s.exec(text) ?? [];
    return sign && pattern ? [{ sign, text: styled(pattern, style) }] : [];
  });
  const isOnlyExcludes = inOrder.every(({ sign }) => sign === '-');
  // The style of `--exclude` need not be named.
  if (isOnlyExcludes) return { excludes: inOrder.map(({ text }) => text.replace(/^fm:/, '')), flags: [] };
  return { excludes: [], flags: inOrder.map(({ sign, text }) => `--pattern=${sign} ${text}`) };
}

const styled = (text: string, style: string): string =>
  /^(fm|sh|re|pp|pf):/.test(text) ? text : `${style}:${text}`;

function flagOf({ name: given, value }: GivenOption): string[] {
  const name = renamed[given] ?? given;
  if (!kept.has(name)) return [];
  return [value === null ? name : `${name}=${value}`];
}

/** In newer releases `/./` marks where stored names begin. */
const withoutMark = (path: string): string => normalised(path.replace('/./', '/'));

const notCreated = (words: readonly string[]) => {
  const command = words.slice(1).find((word) => !word.startsWith('-')) ?? words[0] ?? '';
  return say`suggestion_not_created: The newest archive was created by ${{ command: `borg ${command}`.trim() }}, which does not name its sources.`;
};
const fromProgram = say`suggestion_from_program: The old backup got its content or its paths from another program, which can't be imported: choose the sources yourself.`;
const standardInput = say`suggestion_standard_input: The old backup saved the output of another program, which can't be imported: use a script.`;
const relative = (path: string) =>
  say`suggestion_relative_source: The source ${{ path }} is relative to a folder that is not recorded: enter its full path.`;
const patternFile = (option: string, file: string) =>
  say`suggestion_pattern_file: ${{ option }} reads patterns from ${{ file }}, which is not in the archive: add its patterns to the exclude patterns.`;
const temporaryFile = (file: string) =>
  say`suggestion_temporary_file: Patterns came from the temporary file ${{ file }}: copy them from the settings of the old program.`;
const otherCompression = (compression: string) =>
  say`suggestion_other_compression: Compression ${{ compression }} is not available here: choose another.`;
