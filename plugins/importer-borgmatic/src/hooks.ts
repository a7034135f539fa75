import { say } from '@holdfast/plugin-api';
import { hookElsewhere } from './left-out.js';
import { Config, inside, itemsOf } from './options.js';
import { entryOf, type Option, textOf } from './tree.js';
import { quotedWord, shellWord } from './words.js';

export interface Hook {
  option: Option;
  type: 'pre-backup' | 'post-backup';
  runOn: 'always' | 'success' | 'failure';
  lines: string[];
}

/** How borgmatic runs all of them. */
export interface HookPlace {
  umask: string | null;
  folder: string | null;
}

/** Values of words in braces that borgmatic expands. */
export type HookWords = ReadonlyMap<string, string>;

type Moment = Pick<Hook, 'type' | 'runOn'>;
const before: Moment = { type: 'pre-backup', runOn: 'always' };
const after: Moment = { type: 'post-backup', runOn: 'always' };
const onSuccess: Moment = { type: 'post-backup', runOn: 'success' };
const onFailure: Moment = { type: 'post-backup', runOn: 'failure' };

/** Of releases before 2.0, in their order. `exact`: it ran around backups only. */
const named: Record<string, Moment & { exact: boolean }> = {
  before_everything: { ...before, exact: false },
  before_actions: { ...before, exact: false },
  before_backup: { ...before, exact: true },
  after_backup: { ...onSuccess, exact: true },
  after_actions: { ...after, exact: false },
  after_everything: { ...after, exact: false },
  on_error: { ...onFailure, exact: false },
};

/** The most characters that Holdfast takes. */
const longestScript = 256 * 1024;
/** The most that a script may have, in seconds. */
export const longestHook = 86_400;
const exactly = say`borgmatic_hook_exact: Each line runs in its own shell, as in borgmatic; Holdfast stops a script after ${{ hours: longestHook / 3600 }} hours.`;
const around = say`borgmatic_hook_around: In Holdfast it runs around each backup of a repository, not around other work; Holdfast stops a script after ${{ hours: longestHook / 3600 }} hours.`;
const unknownWord = say`borgmatic_hook_words: Holdfast can't fill in {error}, {output} and {log_file}: change the script.`;
const skips = say`borgmatic_hook_skips: In Holdfast, exit code 75 means that the backup failed, not that it was skipped.`;
const tooLong = say`borgmatic_hook_too_long: It is longer than Holdfast allows for a script: keep it in a file, and call that file from the hook.`;
const onlyBackups = say`borgmatic_alert_backups_only: Holdfast only reports backups to it: use a notification channel for a failed prune or check.`;

/** borgmatic also calls it when a prune or a check fails. */
export function loseAlert({ report }: Config, option: Option | undefined): void {
  report.lose(option, onlyBackups, 'alerts');
}

/** Commands around backups, as scripts. */
export function hooksOf(config: Config, words: HookWords, place: HookPlace): Hook[] {
  const old = Object.entries(named).flatMap(([name, moment]) => {
    const option = config.get(name);
    const lines = config.texts(name);
    if (!option || lines.length === 0) return [];
    return [noted(config, { hook: { ...moment, option, lines }, exact: moment.exact, words })];
  });
  const commands = config.get('commands');
  const listed = commands ? itemsOf(commands).toSorted((a, b) => depthOf(a) - depthOf(b)) : [];
  const hooks = [...old, ...listed.flatMap((option) => hookOf(config, option, words))];
  if (commands?.value.kind === 'list') config.report.take(commands);
  else if (commands) config.refuse(commands);
  const [first, ...others] = hooks.filter(({ type }) => type === 'pre-backup');
  const whole = first && { ...first, lines: [first, ...others].flatMap(({ lines }) => lines) };
  // One script: after a line that fails, no other runs.
  const scripts = [...(whole ? [whole] : []), ...hooks.filter(({ type }) => type === 'post-backup')];
  for (const hook of scripts)
    if (scriptOf(hook, place).length > longestScript) config.report.lose(hook.option, tooLong, 'hooks');
  return scripts;
}

const points = ['everything', 'configuration', 'repository', 'action'];
/** Hooks around a larger part begin earlier and end later. */
const depthOf = ({ value }: Option): number =>
  points.indexOf(textOf(entryOf(value, 'before')?.value) ?? '') -
  points.indexOf(textOf(entryOf(value, 'after')?.value) ?? '');

function hookOf({ report }: Config, option: Option, words: HookWords): Hook[] {
  const command = new Config(option.value.kind === 'map' ? inside(option.value, option.key) : [], report);
  const when = command.texts('when');
  const lines = command.texts('run');
  const parts = ['before', 'after', 'when', 'states', 'run'].map((part) => command.get(part));
  const point = command.text('before') ?? command.text('after');
  if (point === null || lines.length === 0) {
    command.refuse(option);
    return [];
  }
  if (![...points, 'error'].includes(point) || (when.length > 0 && !when.includes('create'))) {
    for (const part of [option, ...parts]) report.lose(part, hookElsewhere, 'hooks');
    return [];
  }
  for (const part of parts) report.take(part);
  const hook = { ...momentOf(command), option, lines };
  return [noted(command, { hook, exact: point === 'action' && when.length === 1, words })];
}

function momentOf(command: Config): Moment {
  if (command.get('before')) return before;
  if (command.text('after') === 'error') return onFailure;
  const states = command.texts('states');
  if (states.length !== 1) return after;
  return states[0] === 'fail' ? onFailure : onSuccess;
}

interface Noting {
  hook: Hook;
  exact: boolean;
  words: HookWords;
}

function noted(config: Config, { hook, exact, words }: Noting): Hook {
  const { report } = config;
  const { option, lines } = hook;
  if (lines.some((line) => /\{(error|output|log_file)\}/.test(line)))
    report.lose(option, unknownWord, 'hooks');
  else if (hook.type === 'post-backup' && lines.some((line) => /\b75\b/.test(line)))
    report.lose(option, skips, 'hooks');
  else if (hook.runOn === 'failure' && !exact) loseAlert(config, option);
  else report.change(option, exact ? exactly : around);
  return { ...hook, lines: lines.map((line) => filled(line, words)) };
}

/** Words in braces that borgmatic knows, quoted as it does; `\\{word\\}` is for braces. */
const filled = (line: string, words: HookWords): string =>
  line.replace(/(\\)?\{(\w+)(\\)?\}/g, (whole, left, name: string, right) => {
    if (left && right) return `{${name}}`;
    const text = words.get(name);
    return text === undefined ? whole : shellWord(text);
  });

/** Runs them like borgmatic: each in its own shell, in order, until one fails. */
export function scriptOf(
  { lines, runOn }: Pick<Hook, 'lines' | 'runOn'>,
  { umask, folder }: HookPlace,
): string {
  const around = [
    ...(runOn === 'success' ? ['[ "$BK_UI_BACKUP_STATUS" != failure ] || exit 0'] : []),
    ...(umask === null ? [] : [`umask ${umask}`]),
    ...(folder === null ? [] : [`cd ${quotedWord(folder)} || exit`]),
  ];
  return ['#!/bin/sh', ...around, ...lines.map((line) => `/bin/sh -c ${quotedWord(line)} || exit`), ''].join(
    '\n',
  );
}
