import { say } from '@holdfast/plugin-api';
import type { Answers } from './answers.js';
import { switches, withValue } from './flag-options.js';
import type { Config } from './options.js';
import { shellWords } from './words.js';

/** Of other commands, flags change nothing that is saved or kept. */
const loses = ['create', 'prune'];

/** Options that borgmatic passes on to borg. */
export function flagsOf(config: Config, answers: Answers): string[] {
  const { report } = config;
  const flags: string[] = [];
  for (const [name, when, flag] of switches) {
    if (config.flag(name) === when) flags.push(flag);
    if (config.flag(name) !== null) report.take(config.get(name));
  }
  for (const [name, , flag] of withValue) {
    const text = config.text(name);
    if (text === null) continue;
    flags.push(`${flag}=${text}`);
    report.take(config.get(name));
  }
  for (const name of config.texts('exclude_if_present')) flags.push(`--exclude-if-present=${name}`);
  report.take(config.get('exclude_if_present'));
  return [...flags, ...extraFlags(config, answers)];
}

function extraFlags(config: Config, answers: Answers): string[] {
  const extra = config.inner('extra_borg_options');
  if (!extra) return [];
  const flags: string[] = [];
  for (const option of extra.options) {
    const given = option.name === 'create' ? shellWords(extra.text('create') ?? '') : null;
    const problem = given && answers.judge('custom_flags', lineOf(given));
    if (given && problem === null) {
      flags.push(...given);
      config.report.take(option);
    } else
      config.report[loses.includes(option.name) ? 'lose' : 'leave'](
        option,
        say`borgmatic_extra_flags: Holdfast accepts additional flags only for creating archives, and not all of them.`,
        'flags',
      );
  }
  return flags;
}

const longest = 65_536;

/** One line; null when it would be too long. */
export function flagsText(flags: readonly string[]): string | null {
  const text = lineOf(flags);
  return text.length <= longest ? text : null;
}

const lineOf = (flags: readonly string[]): string =>
  flags
    .map((flag) => (!/[\s'"]/.test(flag) ? flag : flag.includes('"') ? `'${flag}'` : `"${flag}"`))
    .join(' ');
