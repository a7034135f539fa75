import { posix } from 'node:path';
import { type Message, say, together } from '@holdfast/plugin-api';
import type { ImportEnvironment, ImportedRepository } from '@holdfast/plugin-api/importer';
import type { Answers } from './answers.js';
import { type Channel, channelsOf, type Monitor, monitorsOf } from './channels.js';
import { checkScheduleOf } from './checks.js';
import { databasesOf } from './databases.js';
import { flagsOf, flagsText } from './flags.js';
import { type Hook, type HookPlace, hooksOf } from './hooks.js';
import { leaveRest } from './left-out.js';
import { Config, inside, itemsOf, optionsOf } from './options.js';
import { placeOf } from './places.js';
import { unreadable } from './read-tree.js';
import { Report } from './report.js';
import { archiveNameOf, retentionOf, skippedIn } from './retention.js';
import { secretsOf } from './secrets.js';
import { sourcesOf } from './sources.js';
import type { Value } from './tree.js';
import { type MapTree, type Option, textOf } from './tree.js';

export type Choices = Pick<ImportEnvironment, 'takeOver' | 'cron' | 'timezone'>;

/** A repository as configured in the file, before checking that it exists. */
export interface Wanted extends ImportedRepository {
  option: Option;
  /** Fields of the section `schedules`; null: none. */
  schedule: Value | null;
  check: Value | null;
  hooks: Hook[];
  hookPlace: HookPlace;
  channels: Channel[];
  monitors: Monitor[];
}

export interface MappedFile {
  /** Prefix of names of objects created from the file. */
  base: string;
  wanted: Wanted[];
  report: Report;
}

const ofCreation = [
  'encryption',
  'append_only',
  'storage_quota',
  'make_parent_directories',
  'id_hash',
  'key_location',
];
const ofRepository = new Set(['path', 'label', ...ofCreation]);

const mostRepositories = 100;
/** borgmatic knows two hundred. */
const mostOptions = 1_000;
/** Each repository has its own copy of all lists. */
const mostTogether = 100_000;

/** Maps the settings of a file and reports the result of each option. */
export function mapFile(file: string, tree: MapTree, answers: Answers, choices: Choices): MappedFile {
  const report = new Report();
  const options = optionsOf(tree);
  if (options.length > mostOptions)
    throw unreadable(file, options[mostOptions]?.line ?? 1, `it has more than ${mostOptions} options`);
  const base = posix.basename(file).replace(/\.ya?ml$/, '') || 'borgmatic';
  const shared = new Config(options, report);
  const listed = shared.get('repositories');
  report.take(listed);
  const checked = new Set(shared.texts('check_repositories'));
  const items = listed ? itemsOf(listed) : [];
  if (items.length > mostRepositories)
    throw unreadable(file, listed?.line ?? 1, `it names more than ${mostRepositories} repositories`);
  const size = options.reduce((sum, option) => sum + Math.max(1, itemsOf(option).length), 0);
  if (items.length * size > mostTogether)
    throw unreadable(file, listed?.line ?? 1, 'it names too many repositories for lists this long');
  const wanted = items.flatMap((item) => {
    const own = item.value.kind === 'map' ? inside(item.value, item.key) : [];
    const entry = new Config(own, report);
    const path = entry.get('path');
    const text = item.value.kind === 'map' ? entry.text('path') : textOf(item.value);
    if (text === null) return [];
    const config = new Config([...options, ...own.filter(({ name }) => !ofRepository.has(name))], report);
    const label = entry.text('label');
    const isChecked = checked.size === 0 || checked.has(text) || (label !== null && checked.has(label));
    const one = wantedOf(
      { config, answers, choices, isChecked, file },
      { option: path ?? item, text, label },
    );
    report.take(path ?? item);
    report.take(entry.get('label'));
    return [{ ...one, encryption: noteCreation(entry) }];
  });
  report.take(shared.get('check_repositories'));
  leaveRest(shared);
  for (const option of options.flatMap((each) => (each.name === 'repositories' ? itemsOf(each) : [])))
    if (option.value.kind === 'map') leaveRest(new Config(inside(option.value, option.key), report));
  return { base, wanted, report };
}

function noteCreation(entry: Config): string | null {
  for (const name of ofCreation)
    entry.report.leave(
      entry.get(name),
      say`borgmatic_creation_only: It only matters when a repository is created; this repository is imported as it is.`,
    );
  return entry.text('encryption');
}

interface Around {
  config: Config;
  answers: Answers;
  choices: Choices;
  isChecked: boolean;
  file: string;
}

function wantedOf(
  { config, answers, choices, isChecked, file }: Around,
  { option, text, label }: { option: Option; text: string; label: string | null },
): Omit<Wanted, 'encryption'> {
  const sources = sourcesOf(config, answers);
  const flags = flagsText([...flagsOf(config, answers), ...sources.flags]);
  if (flags === null)
    config.report.lose(
      config.get('patterns') ?? config.get('patterns_from') ?? config.get('extra_borg_options'),
      say`borgmatic_flags_too_long: Together the patterns are longer than Holdfast allows: shorten them.`,
      null,
    );
  const databases = databasesOf(config);
  const settings = {
    compression: compressionOf(config, answers),
    source_directories: sources.source_directories,
    exclude_patterns: sources.exclude_patterns,
    custom_flags: flags || null,
    ...(databases.sources.length > 0 && { sources: databases.sources }),
    ...(Object.keys(databases.secrets).length > 0 && { source_secrets: databases.secrets }),
    ...(config.get('remote_path') && { remote_path: config.text('remote_path') }),
  };
  config.report.take(config.get('remote_path'));
  const place = placeOf(text, answers, { at: option, command: config.text('ssh_command') });
  const words = {
    repository: place.kind === 'local' ? place.path : text,
    repository_label: label ?? '',
    configuration_filename: file,
  };
  const hookPlace = { umask: config.text('umask'), folder: config.text('working_directory') };
  return {
    option,
    text,
    settings,
    name: (label ?? posix.basename(text.replace(/\/$/, '')).replace(/\.borg$/, '')) || text,
    place,
    secrets: secretsOf(config, text, answers),
    ...planned(config, choices, isChecked),
    hooks: hooksOf(config, new Map(Object.entries(words)), hookPlace),
    hookPlace,
    channels: channelsOf(config),
    monitors: monitorsOf(config),
  };
}

/** No service has to be asked for these. */
const usual = /^(auto,)?(none|lz4|(zstd|zlib|lzma)(,[1-9])?)$/;

function compressionOf(config: Config, answers: Answers): string {
  const text = config.text('compression');
  if (text === null) return 'lz4';
  const problem = usual.test(text) ? null : answers.judge('compression', text);
  if (problem === null) config.report.take(config.get('compression'));
  else config.report.leave(config.get('compression'), together([problem, lz4Instead]) as Message);
  return problem === null ? text : 'lz4';
}

const lz4Instead = say`borgmatic_compression: lz4 is used.`;

const scheduleOptions = [
  ...[
    'keep_within',
    'keep_hourly',
    'keep_daily',
    'keep_weekly',
    'keep_monthly',
    'keep_3monthly',
    'keep_yearly',
  ],
  ...['archive_name_format', 'checks', 'skip_actions', 'check_repositories'],
];

/** Plans nothing in observe mode, because the other tool still makes the backups. */
function planned(config: Config, choices: Choices, isChecked: boolean): Pick<Wanted, 'schedule' | 'check'> {
  if (!choices.takeOver) {
    const why = say`borgmatic_take_over_only: In observe mode Holdfast schedules nothing: this is only imported with take_over.`;
    for (const name of scheduleOptions) config.report.leave(config.get(name), why);
    return { schedule: null, check: null };
  }
  const retention = retentionOf(config);
  const skipped = skippedIn(config);
  const name = archiveNameOf(config);
  const isPlanned = isChecked && !skipped.has('check');
  const check = isPlanned ? checkScheduleOf(config, choices) : null;
  if (!isPlanned)
    config.report.leave(
      config.get('checks'),
      say`borgmatic_checks_skipped: The file skips checks for all or some repositories.`,
    );
  if (!retention && name === null && choices.cron === null) return { schedule: null, check };
  const schedule = {
    cron_expression: choices.cron,
    timezone: choices.timezone,
    run_repository_scripts: true,
    ...(retention ?? { run_prune_after: false, run_compact_after: false }),
    ...(name !== null && { archive_name_template: name }),
  };
  return { schedule: skipped.has('create') ? null : schedule, check };
}
