import { plural } from '../../i18n/plural.js';

interface Counts {
  create: number;
  change: number;
  cannot: number;
  options_left_out?: number;
}

export default {
  borgmatic: 'Move from borgmatic',
  borgmaticLead:
    'Choose its configuration files, or paste one. Nothing changes at the old place, and a look shows everything first.',
  files: 'Configuration files',
  paste: 'Or paste one',
  takeOver: 'Take over: Holdfast makes the backups from now on',
  takeOverHint: 'Switch the timer of borgmatic off first. Without it, Holdfast only reads the repositories.',
  cron: 'When to back up (cron expression)',
  cronHint: 'borgmatic files name no times. Empty: only by hand.',
  without: (what: string) => `Accept it without ${what}`,
  losses: {
    databases: 'dumps of databases',
    snapshots: 'snapshots',
    sources: 'folders that wildcards find later',
    flags: 'these flags of Borg',
    hooks: 'these commands',
    retention: 'these retention rules',
    alerts: 'alerts of failed prunes and checks',
  } as Record<string, string>,
  replaceSources: 'Replace the folders that are backed up now',
  look: 'Look first',
  import: 'Import',
  needs: 'Holdfast has to know',
  needsLead: 'The files refer to these. Only the machine where they lie can tell.',
  kinds: {
    include: 'Text of the included file',
    variable: 'Value of the variable',
    command: 'What the command prints',
    credential: 'Secret',
    file: 'Text of the file',
    paths: 'Paths, one a line, for',
    passphrase: 'Passphrase of',
    ssh: 'What ssh -G prints for',
  },
  options: 'What becomes of each option',
  results: { taken: 'Taken', changed: 'Changed', left_out: 'Left out' },
  becomes: 'Becomes',
  sections: {
    repositories: 'Repository',
    source_sets: 'Source set',
    schedules: 'Schedule',
    check_schedules: 'Planned checks',
    scripts: 'Script',
    script_attachments: 'Attached script',
    notifications: 'Channel',
    connections: 'Connection',
    system_key: 'SSH key',
    cache_settings: 'Cache',
  } as Record<string, string>,
  actions: { create: 'new', change: 'changes', unchanged: 'as it is', cannot: 'can’t come' },
  unchanged: (count: number) =>
    plural(count, { one: 'One thing is here already', other: `${count} things are here already` }),
  planned: ({ create, change, cannot, options_left_out: options = 0 }: Counts) =>
    create + change + cannot + options === 0
      ? 'Everything is here already: nothing would change.'
      : `To come: ${create}. To change: ${change}. Left out: ${cannot}${options > 0 ? `, and ${options} options` : ''}.`,
  done: ({ create, change, cannot, options_left_out: options = 0 }: Counts) =>
    create + change + cannot + options === 0
      ? 'Everything was here already: nothing changed.'
      : `Came: ${create}. Changed: ${change}. Left out: ${cannot}${options > 0 ? `, and ${options} options` : ''}.`,
  settings: 'Settings as a file',
  settingsLead:
    'All settings of this installation in one file, for another one. Archives, history and people are not in it.',
  withSecrets: 'With secrets, sealed by a passphrase',
  seal: 'Passphrase for the file',
  sealHint: 'At least 12 characters. It is not stored: without it, nobody opens the secrets.',
  save: 'Save the file',
  saved: 'The file was saved.',
  bring: 'Settings from a file',
  file: 'File with settings',
  sealed: 'Passphrase of the file',
  plan: 'Show the plan',
  notJson: 'This is no file with settings.',
};
