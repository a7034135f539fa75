import { say } from '@holdfast/plugin-api';
import type { Answers } from './answers.js';
import { isStyled } from './flag-options.js';
import type { Config } from './options.js';
import { absolute, expanded, withHome } from './places.js';

export interface Sources {
  source_directories: string[];
  exclude_patterns: string[];
  /** Flags of `borg create`, for patterns that exclude patterns can't express. */
  flags: string[];
}

interface Pattern {
  /** `+`, `-` or `!`. */
  kind: string;
  text: string;
}

/** Sources, patterns and excludes. The first pattern that matches decides, so their order stays. */
export function sourcesOf(config: Config, answers: Answers): Sources {
  const { report } = config;
  const working = config.text('working_directory');
  const listed = config.get('source_directories');
  const roots = config.texts('source_directories');
  const patterns = [...inlinePatterns(config, roots), ...excludes(config)];
  patterns.push(...patternsFromFiles(config, answers, roots), ...excludesFromFiles(config, answers));
  const at = listed ?? { file: '', line: 1 };
  const found = roots.map((root) => ({ root, paths: expanded(root, answers, at) }));
  const source_directories = [
    ...new Set(found.flatMap(({ paths }) => paths.map((path) => absolute(path, working)))),
  ];
  const absent = found.flatMap(({ root, paths }) => (paths.length === 0 ? [root] : []));
  if (absent.length > 0)
    report.lose(
      listed ?? config.get('patterns') ?? config.get('patterns_from'),
      say`borgmatic_paths_absent: Nothing matches ${{ paths: absent }} now, and Holdfast does not expand wildcards: paths that appear later are not backed up.`,
      'sources',
    );
  else if (!roots.some((root) => /^[^/]|[*?[]|^~/.test(root))) report.take(listed);
  else
    report.change(
      listed,
      say`borgmatic_paths_expanded: Holdfast expands neither ~ nor wildcards: they were replaced with the ${{ count: source_directories.length }} paths that match now. Paths that appear later are not backed up.`,
    );
  const directory = config.get('working_directory');
  if (roots.some((root) => /^[^/~]/.test(root)))
    report.change(
      directory,
      say`borgmatic_paths_absolute: Relative sources became absolute: paths in new archives start at the root.`,
    );
  else report.leave(directory, say`borgmatic_without_effect: Without relative paths it has no effect.`);
  const named = patterns.map(({ kind, text }) => ({ kind, text: withHome(text, answers, at) }));
  return { source_directories, ...placed(named) };
}

/** An exclude leaves out all that is below a folder; a `-` of these styles only what itself matches. */
const isAlone = ({ kind, text }: Pattern): boolean => kind === '-' && /^(re|pf):/.test(text);

/** Where everything is an exclude, the order does not matter; otherwise it must be kept on the command line. */
function placed(patterns: readonly Pattern[]): Pick<Sources, 'exclude_patterns' | 'flags'> {
  if (!patterns.some((pattern) => pattern.kind === '+' || isAlone(pattern)))
    return { exclude_patterns: [...new Set(patterns.map(({ text }) => text))], flags: [] };
  return {
    exclude_patterns: [],
    // Without a style an exclude is one of fnmatch, a pattern one of the shell.
    flags: patterns.map(({ kind, text }) => `--pattern=${kind} ${isStyled(text) ? text : `fm:${text}`}`),
  };
}

const isComment = (line: string): boolean => /^\s*(#|$)/.test(line);

/** Lines as `borg help patterns` describes them. `R` adds to the roots; `P` sets the style of those that follow. */
function parsed(lines: readonly string[], roots: string[]): Pattern[] {
  let style = 'sh';
  return lines.flatMap((line) => {
    if (isComment(line)) return [];
    const kind = line.trim()[0] ?? '';
    const text = line.trim().slice(1).trim();
    if (kind === 'R') roots.push(text);
    else if (kind === 'P') style = text;
    else if ('+-!'.includes(kind)) return [{ kind, text: isStyled(text) ? text : `${style}:${text}` }];
    return [];
  });
}

function inlinePatterns(config: Config, roots: string[]): Pattern[] {
  config.report.take(config.get('patterns'));
  return parsed(config.texts('patterns'), roots);
}

const asExclude = (text: string): Pattern => ({ kind: '!', text: text.trim() });

function excludes(config: Config): Pattern[] {
  const option = config.get('exclude_patterns');
  config.report.take(option);
  return config
    .texts('exclude_patterns')
    .filter((text) => text.trim() !== '')
    .map(asExclude);
}

function linesOf(config: Config, name: string, answers: Answers): string[] {
  const option = config.get(name);
  if (!option) return [];
  config.report.change(
    option,
    say`borgmatic_file_inlined: Holdfast stores the current lines of the file: later changes to the file have no effect.`,
  );
  return config
    .texts(name)
    .flatMap((path) => answers.ask('file', path, option)?.split(/\r?\n/) ?? [])
    .filter((line) => !isComment(line));
}

const patternsFromFiles = (config: Config, answers: Answers, roots: string[]): Pattern[] =>
  parsed(linesOf(config, 'patterns_from', answers), roots);

const excludesFromFiles = (config: Config, answers: Answers): Pattern[] =>
  linesOf(config, 'exclude_from', answers).map(asExclude);
