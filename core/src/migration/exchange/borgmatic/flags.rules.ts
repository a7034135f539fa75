import { customFlagsText } from '../../../backup/repositories/index.js';
import { say } from '../../../foundation/kernel/index.js';
import { switches, withValue } from './flag-options.rules.js';
import type { Config } from './options.rules.js';
import { shellWords } from './words.rules.js';

/** Of other commands, flags change nothing that is saved or kept. */
const loses = ['create', 'prune'];

type CheckFlags = (flags: string[]) => string[];

/** Options that borgmatic passes on to borg. `check` says what is wrong with flags. */
export function flagsOf(config: Config, check: CheckFlags): string[] {
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
  return [...flags, ...extraFlags(config, check)];
}

function extraFlags(config: Config, check: CheckFlags): string[] {
  const extra = config.inner('extra_borg_options');
  if (!extra) return [];
  const flags: string[] = [];
  for (const option of extra.options) {
    const given = option.name === 'create' ? shellWords(extra.text('create') ?? '') : null;
    const [problem] = given ? check(given) : [];
    if (given && problem === undefined) {
      flags.push(...given);
      config.report.take(option);
    } else
      config.report[loses.includes(option.name) ? 'lose' : 'leave'](
        option,
        say`borgmatic_extra_flags: Holdfast takes additional flags for the making of archives only, and not all of them.`,
        'flags',
      );
  }
  return flags;
}

const longest = 65_536;

/** One line; null when it would be too long. */
export function flagsText(flags: readonly string[]): string | null {
  const text = customFlagsText(flags);
  return text.length <= longest ? text : null;
}
