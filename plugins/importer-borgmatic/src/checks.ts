import { say } from '@holdfast/plugin-api';
import type { ImportEnvironment } from '@holdfast/plugin-api/importer';
import { Config, inside, itemsOf } from './options.js';
import { type Option, textOf, type Value } from './tree.js';

type Rhythm = Pick<ImportEnvironment, 'cron' | 'timezone'>;

interface Check {
  option: Option;
  config: Config;
  name: string;
  parts: (Option | undefined)[];
  cron: string | null;
}

/** The default checks of borgmatic. */
const usual = { cron_expression: '0 3 1 * *', max_duration: 0, verify_data: false };

/** Full checks, planned by the frequency that the file names. Null: none. */
export function checkScheduleOf(config: Config, rhythm: Rhythm): Value | null {
  const { timezone } = rhythm;
  const listed = config.get('checks');
  const items = listed ? itemsOf(listed) : [];
  if (items.length === 0) return { ...usual, timezone };
  const checks = items.map((option) => checkOf(option, config, rhythm));
  config.report.take(listed);
  if (checks.some(({ name }) => name === 'disabled')) return null;
  const planned = checks.filter((check) => takes(check));
  const [first] = planned.filter(({ name }) => name !== 'data').sort(byRhythm);
  const data = planned.find(({ name }) => name === 'data');
  const chosen = first ?? data;
  if (!chosen) return null;
  const verify_data = data !== undefined && (data === chosen || data.cron === chosen.cron);
  for (const { name, option, parts } of planned)
    for (const part of [option, ...parts])
      if (name === 'data' && !verify_data)
        config.report.leave(
          part,
          say`borgmatic_data_check: Holdfast schedules one check per repository, and this check has a different schedule: start a check of all data manually.`,
        );
      else
        config.report.change(
          part,
          say`borgmatic_check_planned: It became a full check, scheduled for ${{ cron: chosen.cron ?? '' }}.`,
        );
  const limit = chosen.config.number('max_duration') ?? 0;
  const max_duration = verify_data ? 0 : Math.min(limit, 2_592_000);
  return { cron_expression: chosen.cron, timezone, max_duration, verify_data };
}

function checkOf(option: Option, { report }: Config, rhythm: Rhythm): Check {
  const { value, key } = option;
  const config = new Config(value.kind === 'map' ? inside(value, key) : [], report);
  const name = (value.kind === 'map' ? config.text('name') : textOf(value)) ?? '';
  const frequency = config.text('frequency') ?? 'always';
  const parts = ['name', 'frequency', 'max_duration'].map((part) => config.get(part));
  return { option, config, name, parts, cron: cronOf(frequency) ?? rhythm.cron };
}

/** Whether it can be planned; says why it can't. */
function takes({ option, config, name, parts, cron }: Check): boolean {
  const { report } = config;
  report.leave(
    config.get('only_run_on'),
    say`borgmatic_check_days: Holdfast schedules checks by a cron expression: adjust it after the import.`,
  );
  if (cron !== null && name !== 'extract' && name !== 'spot') return true;
  const why =
    name === 'extract' || name === 'spot'
      ? say`borgmatic_check_restores: Holdfast tests restores with restore drills: schedule one for the repository.`
      : say`borgmatic_check_always: borgmatic ran it with each backup, and the file gives no time: schedule checks in Holdfast.`;
  for (const part of [option, ...parts, ...config.options]) report.leave(part, why);
  return false;
}

/**
 * Chooses times at night, because borgmatic configures an interval without a time. Null for unsupported
 * intervals.
 */
function cronOf(frequency: string): string | null {
  const [, count = '', unit = ''] = /^(\d{1,4}) *(hour|day|week|month|year)s?$/.exec(frequency.trim()) ?? [];
  if (unit === '') return null;
  const days = Number(count) * { hour: 1 / 24, day: 1, week: 7, month: 30, year: 365 }[unit as 'day'];
  if (days < 2) return '0 3 * * *';
  if (days < 7) return `0 3 */${Math.floor(days)} * *`;
  if (days < 14) return '0 3 * * 0';
  if (days < 28) return '0 3 1,15 * *';
  const months = Math.round(days / 30);
  if (months < 2) return '0 3 1 * *';
  return months < 12 ? `0 3 1 */${Math.min(months, 6)} *` : '0 3 1 1 *';
}

const gap = ({ cron }: Check): number => {
  const order = ['0 3 * * *', '0 3 */', '0 3 * * 0', '0 3 1,15', '0 3 1 * *', '0 3 1 */', '0 3 1 1'];
  const at = order.findIndex((start) => cron?.startsWith(start));
  return at < 0 ? -1 : at;
};
const byRhythm = (a: Check, b: Check): number => gap(a) - gap(b);
