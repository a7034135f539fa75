import type { FoundRepository, ImportedFile } from '@holdfast/plugin-api/importer';
import type { Channel } from './channels.js';
import { longestHook, scriptOf } from './hooks.js';
import type { Wanted } from './map-file.js';
import type { Option, Value } from './tree.js';

/** A repository of a file that exists. */
export interface Present {
  wanted: Wanted;
  found: FoundRepository;
}

/** Settings for one section, each with the option that asked for it. */
type Asked = ImportedFile['settings'][number];

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The settings of a file as objects of a settings document. */
export function askedBy(base: string, present: readonly Present[], takeOver: boolean): Asked[] {
  const [first] = present;
  if (!first) return [];
  const sources = present.map(({ wanted: { settings } }) => sourcesIn(settings));
  const shared = present.length > 1 && sources.every((each) => same(each, sources[0]));
  const isSet = shared && hasSources(first.wanted);
  const set: Asked[] = isSet
    ? [{ section: 'source_sets', value: { name: base, ...sources[0] }, option: null }]
    : [];
  return [
    ...set,
    ...present.map((one) => repository(one, { set: isSet ? base : null, takeOver })),
    ...scripts(base, present),
    ...schedules(base, present),
    ...present.flatMap(({ wanted: { check, option }, found }) =>
      check ? [{ section: 'check_schedules', value: { repository_id: found.id, ...check }, option }] : [],
    ),
    ...channels(base, present),
  ];
}

const sourcesIn = ({ source_directories, exclude_patterns, sources, source_secrets }: Value) => ({
  source_directories,
  exclude_patterns,
  ...(sources !== undefined && { sources }),
  ...(source_secrets !== undefined && { source_secrets }),
});

const hasSources = ({ settings: { source_directories, sources } }: Wanted): boolean =>
  (source_directories as string[]).length > 0 || sources !== undefined;

function repository(
  { wanted, found }: Present,
  { set, takeOver }: { set: string | null; takeOver: boolean },
): Asked {
  const {
    source_directories: _,
    exclude_patterns: __,
    sources: ___,
    source_secrets: ____,
    ...settings
  } = wanted.settings;
  const isFull = takeOver && hasSources(wanted);
  // Never switches a repository from full to observe mode.
  const mode = isFull ? 'full' : found.isFull ? undefined : 'observe';
  const { passphrase, keyFile } = wanted.secrets;
  const value = {
    repository_id: found.id,
    name: found.name,
    path: found.path,
    encryption: found.encryption,
    connection: found.connection,
    ...settings,
    source_set: set,
    ...(set === null && sourcesIn(wanted.settings)),
    ...(mode && { mode }),
    ...(isFull && found.leftOut.length > 0 && { left_out: found.leftOut }),
    ...(passphrase !== null && found.encryption !== 'none' && { passphrase }),
    ...(keyFile !== null && { key_file: keyFile }),
  };
  return { section: 'repositories', value, option: wanted.option };
}

/** Hooks and monitors: each text once in the library, attached where it is to run. */
function scripts(base: string, present: readonly Present[]): Asked[] {
  const names = new Map<string, string>();
  const library: Asked[] = [];
  const attached: Asked[] = [];
  const named = (wanted: string, content: string, value: Value, option: Option): string => {
    const known = names.get(content);
    if (known !== undefined) return known;
    const used = [...names.values()];
    let name = wanted;
    for (let n = 2; used.includes(name); n++) name = `${wanted} ${n}`;
    names.set(content, name);
    library.push({ section: 'scripts', value: { name, content, timeout: 3600, ...value }, option });
    return name;
  };
  for (const { wanted, found } of present) {
    const repository_id = found.id;
    const monitored = wanted.monitors.length;
    for (const [at, { type, runOn, lines, option }] of wanted.hooks.entries()) {
      const moment = type === 'pre-backup' ? 'before' : 'after';
      const content = scriptOf({ lines, runOn }, wanted.hookPlace);
      const script = named(
        `${base}: ${moment} backups`,
        content,
        { parameters: [], timeout: longestHook },
        option,
      );
      // A backup with warnings is a success in borgmatic: the script itself looks.
      const custom_run_on = runOn === 'success' ? 'always' : runOn;
      const when = { hook_type: type, execution_order: monitored + at + 1, custom_run_on };
      const value = { repository_id, script, ...when, continue_on_error: false, values: null };
      attached.push({ section: 'script_attachments', value, option });
    }
    for (const [at, { service, script: content, url, option }] of wanted.monitors.entries()) {
      const script = named(`${base}: ${service}`, content, { parameters: [pingUrl] }, option);
      const others = { execution_order: at + 1, continue_on_error: true };
      const values = { values: {}, secret_values: { PING_URL: url } };
      for (const hook_type of ['pre-backup', 'post-backup'])
        attached.push({
          section: 'script_attachments',
          value: { repository_id, script, hook_type, ...others, ...values },
          option,
        });
    }
  }
  return [...library, ...attached];
}

const pingUrl = { name: 'PING_URL', type: 'password', default: '', description: '', required: true };

/** One for all repositories of the file that are planned alike. */
function schedules(base: string, present: readonly Present[]): Asked[] {
  const groups: { schedule: Value; repositories: string[]; option: Option }[] = [];
  for (const { wanted, found } of present) {
    const { schedule, option } = wanted;
    if (!schedule || !hasSources(wanted)) continue;
    const alike = groups.find((group) => same(group.schedule, schedule));
    if (alike) alike.repositories.push(found.id);
    else groups.push({ schedule, repositories: [found.id], option });
  }
  return groups.map(({ schedule, repositories, option }, at) => ({
    section: 'schedules',
    value: { name: at === 0 ? base : `${base} ${at + 1}`, ...schedule, repositories },
    option,
  }));
}

function channels(base: string, present: readonly Present[]): Asked[] {
  const all = new Map<string, Channel & { repositories: string[] }>();
  for (const { wanted, found } of present)
    for (const channel of wanted.channels) {
      const known = all.get(channel.url);
      if (known) known.repositories.push(found.id);
      else all.set(channel.url, { ...channel, repositories: [found.id] });
    }
  return [...all.values()].map(({ service, url, states, repositories, option }) => ({
    section: 'notifications',
    value: {
      name: `${service} (${base})`,
      service_url: url,
      monitor_all_repositories: false,
      repositories,
      ...flagsOf(new Set(states)),
    },
    option,
  }));
}

function flagsOf(states: ReadonlySet<string>): Value {
  const [start, finish, fail] = ['start', 'finish', 'fail'].map((state) => states.has(state));
  const failures = [
    ...['backup_failure', 'backup_warning', 'check_failure', 'schedule_failure', 'backup_late'],
    ...['backup_on_time_again', 'damaged', 'retention_paused', 'incident', 'restore_failure'],
  ];
  return {
    notify_on_backup_start: start,
    notify_on_backup_success: finish,
    notify_on_check_success: finish,
    notify_on_report_weekly: false,
    ...Object.fromEntries(failures.map((kind) => [`notify_on_${kind}`, fail])),
  };
}
