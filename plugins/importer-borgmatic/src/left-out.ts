import { type Message, say } from '@holdfast/plugin-api';
import type { Config } from './options.js';
import type { Option } from './tree.js';

export const hookElsewhere = say`borgmatic_hook_elsewhere: Scripts in Holdfast run only before and after backups.`;

const keepUnknown = say`borgmatic_keep_unknown: Holdfast does not have this rule.`;
const database = say`borgmatic_database: Holdfast has no source for this database: add a script before the backup that writes a dump into a source.`;
const monitorUnknown = say`borgmatic_monitor_unknown: Holdfast does not support this service: use a webhook, or an Apprise server if it supports the service.`;

const reasons: readonly [why: Message, names: string[]][] = [
  [
    say`borgmatic_own_files: Holdfast has its own files and caches, separate from those of borgmatic.`,
    [
      ...['borgmatic_source_directory', 'user_runtime_directory', 'user_state_directory'],
      ...['temporary_directory', 'borg_base_directory', 'borg_config_directory', 'borg_cache_directory'],
      ...['borg_security_directory', 'borg_keys_directory', 'borg_files_cache_ttl', 'use_chunks_archive'],
      ...['store_config_files', 'bootstrap'],
    ],
  ],
  [
    say`borgmatic_output: It only controls what borgmatic prints and logs.`,
    [
      ...['color', 'verbosity', 'syslog_verbosity', 'log_file_verbosity', 'log_file', 'log_file_format'],
      ...['monitoring_verbosity', 'log_json', 'progress', 'statistics', 'quick_statistics', 'list_details'],
      ...['file_list_format', 'archive_list_format', 'debug_passphrase', 'display_passphrase'],
    ],
  ],
  [
    say`borgmatic_service_sets: Holdfast sets this itself.`,
    [
      ...['umask', 'lock_wait', 'local_path', 'borg_exit_codes', 'msgpack_version_check', 'default_actions'],
      ...['unsafe_skip_path_validation_before_create', 'compact_threshold', 'check_i_know_what_i_am_doing'],
      ...['relocated_repo_access_is_ok', 'unknown_unencrypted_repo_access_is_ok', 'files_changed'],
      ...['archive_hostname', 'archive_username'],
    ],
  ],
  [
    say`borgmatic_retries: Holdfast waits for locks and connections automatically; a failed backup runs again at its next scheduled time.`,
    ['retries', 'retry_wait'],
  ],
  [
    say`borgmatic_missing_sources: In Holdfast a missing source is a warning, and a failure if nothing is left to back up.`,
    ['source_directories_must_exist'],
  ],
  [
    say`borgmatic_ssh_command: Connections of Holdfast have their own key and options: see the SSH connection of the host.`,
    ['ssh_command'],
  ],
  [say`borgmatic_newer_borg: Only Borg 2 has this.`, ['checkpoint_volume', 'recompress']],
  [
    say`borgmatic_archive_filter: Holdfast does not select archives for retention by name: adopt existing archives to put them under a schedule.`,
    ['match_archives', 'prefix'],
  ],
  [
    say`borgmatic_check_last: A check in Holdfast covers all archives, not only the last ones.`,
    ['check_last'],
  ],
  [keepUnknown, ['keep_secondly', 'keep_minutely', 'keep_13weekly']],
  [database, ['influxdb_databases', 'openldap_databases']],
  [monitorUnknown, ['pagerduty', 'zabbix', 'loki', 'sentry', 'victorialogs', 'watchgoose']],
  [
    say`borgmatic_credentials: It only says how borgmatic reads secrets; Holdfast stores them encrypted.`,
    ['systemd', 'container', 'keepassxc', 'onepassword'],
  ],
  [
    hookElsewhere,
    [
      ...['before_prune', 'before_compact', 'before_check', 'before_extract'],
      ...['after_prune', 'after_compact', 'after_check', 'after_extract'],
    ],
  ],
  [say`borgmatic_constants: The constants are filled in where they are used.`, ['constants']],
];

const byName = new Map(reasons.flatMap(([why, names]) => names.map((name) => [name, why] as const)));
const unknown = say`borgmatic_option_unknown: Holdfast does not know this option.`;
const empty = say`borgmatic_value_empty: It has no value.`;

/**
 * Options whose absence means that less is saved, kept or reported, by the name of the loss. Unknown options
 * may do anything.
 */
const losses = new Map([
  [database, 'databases'],
  [keepUnknown, 'retention'],
  [monitorUnknown, 'alerts'],
  [hookElsewhere, 'hooks'],
]);

/** Reports why each unsupported option is skipped. */
export function leaveRest({ options, report }: Config): void {
  for (const option of options) {
    const why = byName.get(option.name);
    if (option.name === 'constants' && why) report.change(option, why);
    else if (report.knows(option)) continue;
    else if (isIdle(option)) report.leave(option, why === keepUnknown ? why : empty);
    else if (why && !losses.has(why)) report.leave(option, why);
    else report.lose(option, why ?? unknown, (why && losses.get(why)) ?? option.name);
  }
}

const isIdle = ({ value }: Option): boolean =>
  value.kind === 'list'
    ? value.items.length === 0
    : value.kind === 'scalar' && [null, 0].includes(value.value as null);
