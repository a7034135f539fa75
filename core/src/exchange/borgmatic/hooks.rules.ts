import { say } from '../../kernel/index.js';
import { hookElsewhere } from './left-out.rules.js';
import { Config, inside, itemsOf } from './options.rules.js';
import type { Option } from './tree.js';

export interface Hook {
  option: Option;
  type: 'pre-backup' | 'post-backup';
  runOn: 'always' | 'success' | 'failure';
  lines: string[];
}

type Moment = Pick<Hook, 'type' | 'runOn'>;
const before: Moment = { type: 'pre-backup', runOn: 'always' };
const after: Moment = { type: 'post-backup', runOn: 'always' };
const onSuccess: Moment = { type: 'post-backup', runOn: 'success' };
const onFailure: Moment = { type: 'post-backup', runOn: 'failure' };

/** Of releases before 2.0. `exact`: it ran around backups only. */
const named: Record<string, Moment & { exact: boolean }> = {
  before_backup: { ...before, exact: true },
  after_backup: { ...onSuccess, exact: true },
  on_error: { ...onFailure, exact: false },
  before_actions: { ...before, exact: false },
  after_actions: { ...after, exact: false },
  before_everything: { ...before, exact: false },
  after_everything: { ...after, exact: false },
};

const around = say(
  'borgmatic_hook_around',
)`It runs around each backup of a repository, and not around other work.`;
const otherShell = say(
  'borgmatic_hook_words',
)`borgmatic fills words in braces in: Holdfast passes variables such as BK_UI_REPOSITORY_PATH instead. Look at the script.`;

/** Commands around backups, as scripts. */
export function hooksOf(config: Config): Hook[] {
  const old = Object.entries(named).flatMap(([name, moment]) => {
    const option = config.get(name);
    const lines = config.texts(name);
    if (!option || lines.length === 0) return [];
    return [noted(config, { ...moment, option, lines }, moment.exact)];
  });
  const listed = config.get('commands') ? itemsOf(config.get('commands') as Option) : [];
  const hooks = [...old, ...listed.flatMap((option) => hookOf(config, option))];
  if (listed.length > 0) config.report.take(config.get('commands'));
  return hooks;
}

function hookOf({ report }: Config, option: Option): Hook[] {
  const command = new Config(option.value.kind === 'map' ? inside(option.value, option.key) : [], report);
  const when = command.texts('when');
  const lines = command.texts('run');
  const parts = ['before', 'after', 'when', 'states', 'run'].map((part) => command.get(part));
  const moment = momentOf(command);
  if (!moment || lines.length === 0 || (when.length > 0 && !when.includes('create'))) {
    for (const part of [option, ...parts]) report.leave(part, hookElsewhere);
    return [];
  }
  const exact = command.text('before') === 'action' || command.text('after') === 'action';
  for (const part of parts) report.take(part);
  return [noted(command, { ...moment, option, lines }, exact && when.length === 1)];
}

function momentOf(command: Config): Moment | null {
  if (command.get('before')) return before;
  const point = command.text('after');
  if (point === null) return null;
  if (point === 'error') return onFailure;
  const states = command.texts('states');
  if (states.length !== 1) return after;
  return states[0] === 'fail' ? onFailure : onSuccess;
}

function noted({ report }: Config, { option, type, runOn, lines }: Hook, exact: boolean): Hook {
  if (lines.some((line) => /\{[a-z_]+\}/.test(line))) report.change(option, otherShell);
  else if (exact) report.take(option);
  else report.change(option, around);
  const known = lines.map((line) =>
    line
      .replaceAll('{repository}', '"$BK_UI_REPOSITORY_PATH"')
      .replaceAll('{repository_label}', '"$BK_UI_REPOSITORY_NAME"'),
  );
  return { option, type, runOn, lines: known };
}

/** As borgmatic runs them: one after the other, until one fails. */
export const scriptOf = (lines: readonly string[]): string =>
  ['#!/bin/sh', 'set -e', ...lines.map((line) => line.trimEnd()), ''].join('\n');
