import { type Message, say } from '@holdfast/plugin-api';
import type { LeavingRepository } from '@holdfast/plugin-api/importer';
import { commandsOf } from './commands.js';
import { optionOf } from './databases.js';
import { excludeLine, optionsOfFlags } from './options-of-flags.js';
import type { Value } from './tree.js';
import { shellWord } from './words.js';

interface Leaving extends LeavingRepository {
  secrets: boolean;
  /** Without an ending. */
  fileName: string;
}
type Schedule = NonNullable<Leaving['schedule']>;

/** The options of one file, and notes about settings that it cannot express. */
export function configOf(one: Leaving): { config: Value; notes: Message[] } {
  const flags = optionsOfFlags(one.flags);
  const sources = one.isPulled ? [] : one.source_directories.map(withoutGlob);
  const excludes = one.exclude_patterns;
  const ordered = flags.patterns.length > 0;
  const patterns = ordered ? [...excludes.map(excludeLine), ...flags.patterns] : [];
  const others = flags.others.map(shellWord).join(' ');
  const commands = commandsOf(one.hooks, {
    name: one.name,
    path: one.path,
    secretFile: (variable) => `/etc/borgmatic/${one.fileName}.${variable}`,
  });
  const databases = one.isPulled ? {} : databasesIn(one);
  const urls = one.channels.filter(({ url }) => url !== null);
  const config = {
    ...(sources.length > 0 && { source_directories: sources }),
    // Borg would expand placeholders in single braces.
    repositories: [{ path: one.path.replace(/[{}]/g, '$&$&'), label: one.name }],
    ...accessOf(one),
    compression: one.compression,
    ...(one.remote_path !== null && { remote_path: one.remote_path }),
    ...flags.options,
    ...(!ordered && excludes.length > 0 && { exclude_patterns: excludes }),
    ...(ordered && { patterns }),
    ...(others !== '' && { extra_borg_options: { create: others } }),
    ...databases,
    ...(one.isPulled ? {} : snapshotsIn(one)),
    ...planOf(one),
    ...(commands.length > 0 && { commands }),
    ...(urls.length > 0 && {
      apprise: {
        services: urls.map(({ name, url }) => ({ url, label: name })),
        states: [...new Set(urls.flatMap(({ states }) => states))],
      },
    }),
    bootstrap: { store_config_files: false },
  };
  return { config: escaped(config) as Value, notes: notesOn(one) };
}

const secretFileOf =
  ({ fileName }: Leaving) =>
  (of: string) =>
    `/etc/borgmatic/${fileName}.${of.replaceAll(/[^\w.-]+/g, '-')}`;

/** borgmatic looks itself for the folders that are on these; only for ZFS it needs a program. */
function snapshotsIn({ sources }: Leaving): Value {
  const source = sources.find(({ kind }) => kind === 'snapshot');
  if (!source) return {};
  const { lvm_size } = source.settings;
  return { btrfs: {}, lvm: lvm_size ? { snapshot_size: lvm_size } : {} };
}

function databasesIn(one: Leaving): Record<string, Value[]> {
  const options: Record<string, Value[]> = {};
  for (const source of one.sources) {
    const found = optionOf(source, secretFileOf(one));
    if (found) options[found.option] = [...(options[found.option] ?? []), ...found.entries];
  }
  return options;
}

function accessOf({ encryption, passphrase, secrets, fileName }: Leaving): Value {
  if (encryption === 'none') return { unknown_unencrypted_repo_access_is_ok: true };
  if (secrets && passphrase !== null) return { encryption_passphrase: passphrase };
  return { encryption_passcommand: `cat /etc/borgmatic/${fileName}.passphrase` };
}

function planOf({ name, isObserved, source_directories, sources, schedule, check }: Leaving): Value {
  const prunes = schedule?.run_prune_after === true;
  const skipped = [
    ...(isObserved || source_directories.length + sources.length === 0 ? ['create'] : []),
    ...(prunes ? [] : ['prune']),
    ...(schedule?.run_compact_after ? [] : ['compact']),
    ...(check ? [] : ['check']),
  ];
  const keeps: Value = schedule
    ? {
        keep_within: schedule.prune_keep_within,
        keep_hourly: schedule.prune_keep_hourly,
        keep_daily: schedule.prune_keep_daily,
        keep_weekly: schedule.prune_keep_weekly,
        keep_monthly: schedule.prune_keep_monthly,
        keep_3monthly: schedule.prune_keep_quarterly,
        keep_yearly: schedule.prune_keep_yearly,
      }
    : {};
  const kept = Object.entries(keeps).filter(([, value]) => prunes && value !== 0 && value !== null);
  return {
    ...(schedule && { archive_name_format: archiveFormat(schedule, name) }),
    ...Object.fromEntries(kept),
    ...(check && { checks: checksOf(check) }),
    ...(skipped.length > 0 && { skip_actions: skipped }),
  };
}

function checksOf({ maxDuration, verifyData, everyDays }: NonNullable<Leaving['check']>): Value[] {
  const frequency = everyDays === 1 ? '1 day' : `${everyDays} days`;
  if (maxDuration > 0) return [{ name: 'repository', frequency, max_duration: maxDuration }];
  const names = verifyData ? ['repository', 'data'] : ['repository', 'archives'];
  return names.map((name) => ({ name, frequency }));
}

const inName = (text: string): string => text.trim().replace(/[\s/\\{}]+/g, '-');

/** borgmatic uses the time zone of its machine. */
function archiveFormat({ name, archive_name_template }: Schedule, repository: string): string {
  const values: Record<string, string> = {
    job_name: inName(name),
    repo_name: inName(repository),
    now: '{now:%Y-%m-%dT%H:%M:%S}',
    date: '{now:%Y-%m-%d}',
    time: '{now:%H:%M:%S}',
    timestamp: '{now:%s}',
  };
  const template = archive_name_template ?? '{job_name}-{now}';
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole);
}

/** borgmatic expands wildcards in sources. */
const withoutGlob = (path: string): string => path.replace(/[*?[]/g, '[$&]');

/** borgmatic expands variables everywhere unless a backslash precedes them. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\$\{[A-Za-z0-9_]+(?::?-[^}]+)?\}/g, '\\$&');
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escaped(each)]));
}

function notesOn(one: Leaving) {
  const { name: repository, encryption, schedule, otherSchedules, channels, hooks, secrets, fileName } = one;
  const notes: Message[] = [];
  if (encryption !== 'none' && !secrets)
    notes.push(
      say`export_passphrase_place: Write the passphrase to /etc/borgmatic/${{ file: `${fileName}.passphrase` }}, with mode 600.`,
    );
  if (encryption.startsWith('keyfile'))
    notes.push(
      say`export_key_file: Download the key of ${{ repository }} and put it into ~/.config/borg/keys.`,
    );
  if (one.isPulled)
    notes.push(
      say`export_pulled_sources: Its sources are on another host: run borgmatic on that host, and add them to the file.`,
    );
  for (const source of one.sources) {
    const { kind, name } = source;
    if (kind === 'snapshot')
      notes.push(say`export_snapshots: For folders on ZFS, add the line "zfs:" to the file.`);
    else if (optionOf(source, secretFileOf(one)) === null)
      notes.push(
        say`export_source: Source ${{ name }} (${{ kind }}) is not exported: borgmatic has nothing like it.`,
      );
    else if (source.settings.password === null)
      notes.push(
        say`export_database_password: Write the password of ${{ name }} to ${{ file: secretFileOf(one)(`${kind}.${name}`) }}, with mode 600.`,
      );
  }
  if (one.isRemote)
    notes.push(
      say`export_ssh_access: borgmatic uses the SSH key of the user that runs it: give that key access to the host.`,
    );
  if (schedule?.cron_expression)
    notes.push(
      say`export_schedule: borgmatic has no scheduler: let cron or a timer run it at ${{ cron: schedule.cron_expression }} (${{ timezone: schedule.timezone }}).`,
    );
  if (otherSchedules > 0)
    notes.push(
      say`export_other_schedules: A borgmatic file has one retention: the file has that of ${{ schedule: schedule?.name ?? '' }}.`,
    );
  if (schedule?.run_prune_after && schedule.prune_keep_quarterly !== 0)
    notes.push(say`export_quarterly: keep_3monthly needs Borg 1.4.`);
  for (const { name, url } of channels)
    if (url === null)
      notes.push(say`export_channel: Channel ${{ name }} is not exported: its service URL is secret.`);
  if (channels.some(({ url }) => url !== null))
    notes.push(
      say`export_apprise: Notifications need the Apprise library on the machine that runs borgmatic.`,
    );
  if (hooks.some(({ runOn }) => runOn === 'warning'))
    notes.push(
      say`export_warning_hooks: Scripts that only run after warnings are not exported: borgmatic only knows success and failure.`,
    );
  if (!secrets)
    for (const variable of new Set(
      hooks.flatMap((hook) => Object.keys(hook.variables).filter((key) => hook.variables[key] === null)),
    ))
      notes.push(
        say`export_variable_place: Write the value of ${{ variable }} to /etc/borgmatic/${{ file: `${fileName}.${variable}` }}, with mode 600.`,
      );
  return notes;
}
