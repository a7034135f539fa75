import { plural } from '../../i18n/plural.js';

interface Counts {
  create: number;
  change: number;
  cannot: number;
  options_left_out?: number;
}

export default {
  borgmaticLead:
    'Choose its configuration files, or paste one. Your files are not changed, and a preview shows everything first.',
  files: 'Configuration files',
  paste: 'Or paste one',
  takeOver: 'Take over backups: Holdfast makes them from now on',
  takeOverHint: 'Turn off borgmatic’s timer first. If not selected, Holdfast only monitors the repositories.',
  cron: 'When to back up (cron expression)',
  cronHint: 'borgmatic files have no schedule. Leave empty for manual backups only.',
  without: (what: string) => `Accept without ${what}`,
  losses: {
    databases: 'dumps of databases',
    snapshots: 'snapshots',
    sources: 'folders that match wildcards later',
    flags: 'these flags of Borg',
    hooks: 'these commands',
    retention: 'these retention rules',
    alerts: 'alerts about failed prunes and checks',
  } as Record<string, string>,
  replaceSources: 'Replace the current source directories',
  import: 'Import',
  needs: 'Missing information',
  needsLead: 'The files refer to these. Get the values on the host they come from.',
  kinds: {
    include: 'Text of the included file',
    variable: 'Value of the variable',
    command: 'Output of the command',
    credential: 'Secret',
    file: 'Text of the file',
    paths: 'Paths, one per line, for',
    passphrase: 'Passphrase of',
    ssh: 'Output of ssh -G for',
  },
  options: 'Options',
  results: { taken: 'Imported', changed: 'Changed', left_out: 'Skipped' },
  becomes: 'Becomes',
  sections: {
    repositories: 'Repository',
    source_sets: 'Source set',
    schedules: 'Schedule',
    check_schedules: 'Scheduled checks',
    scripts: 'Script',
    script_attachments: 'Attached script',
    notifications: 'Notification channel',
    connections: 'Host',
    system_key: 'SSH key',
    cache_settings: 'Cache',
  } as Record<string, string>,
  actions: { create: 'new', change: 'updated', unchanged: 'unchanged', cannot: 'can’t be imported' },
  unchanged: (count: number) =>
    plural(count, { one: 'One item already exists', other: `${count} items already exist` }),
  planned: ({ create, change, cannot, options_left_out: options = 0 }: Counts) =>
    create + change + cannot + options === 0
      ? 'Everything already exists: nothing would change.'
      : `${create} to create, ${change} to update, ${cannot} skipped${options > 0 ? `, ${options} options skipped` : ''}.`,
  done: ({ create, change, cannot, options_left_out: options = 0 }: Counts) =>
    create + change + cannot + options === 0
      ? 'Everything already existed: nothing changed.'
      : `${create} created, ${change} updated, ${cannot} skipped${options > 0 ? `, ${options} options skipped` : ''}.`,
  settings: 'Export settings',
  settingsLead:
    'All settings of this installation in one file, for another one, but no archives, history or users.',
  withSecrets: 'With secrets, encrypted with a passphrase',
  seal: 'Passphrase for the file',
  sealHint: 'At least 12 characters. It is not stored: without it, no one can decrypt the secrets.',
  save: 'Save the file',
  saved: 'The file was saved.',
  bring: 'Import settings',
  file: 'Settings file',
  sealed: 'Passphrase of the file',
  plan: 'Show the plan',
  notJson: 'This is not a settings file.',
};
