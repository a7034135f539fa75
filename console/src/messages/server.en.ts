import type { Translations } from '../i18n/translate.js';

/**
 * English sentences of the console, by the codes of the server (docs/developers/messages.md): where that of the API
 * names fields or variables that `plainWords` can't leave out.
 */
const sentences: Translations['sentences'] = {
  api_token_expiry_past: 'The expiry must be in the future.',
  backup_shrunk:
    'Only {files} files ({size}), compared with {files_before} files ({size_before}) in archive {archive}: more than {limit} % less. If intended, delete the older archives, or turn this warning off for one backup.',
  borgmatic_take_over_only: 'Holdfast only schedules what it backs up: this needs “Take over backups”.',
  bypass_lock_outside_observe_mode: 'Only repositories that are monitored only can be read without locking.',
  check_limit_with_verify_data: 'A check that verifies all data can’t have a time limit: set it to 0.',
  connection_is_jump: 'Other connections go through this one: {names}. Change them first.',
  cron_blank: 'Enter when the schedule runs, or choose manual runs only.',
  data_folder_too_full:
    'The files pass through the data folder of Holdfast and need at most {needed}, but only {free} are free: free some space, or restore fewer files at once. Sparse files need less: you can try anyway.',
  drill_nothing_to_restore:
    'Archive {archive} has no file that the drill can restore: raise the size per drill, or back up again.',
  drill_scratch_too_small:
    'The drill needs {needed} in {folder}, where {free} are free: free some space, or lower the size per drill.',
  dump_source_removed: 'The repository has no source {source} any more: add it again in its settings.',
  foreign_page:
    'Only Holdfast’s own pages may use this session. Behind a proxy, Holdfast must trust it, and it must pass on Host.',
  full_mode_without_sources: 'Add at least one source directory or database, or choose “Monitor only”.',
  health_optional_plugin:
    'An optional plugin is not healthy: administrators can see why in Settings, System.',
  health_plugin: 'The {plugin} plugin {id} is not healthy: administrators can see why in Settings, System.',
  notification_transport_missing:
    'Holdfast can’t send to {scheme}://. Supported: {supported}. Other services need an Apprise server.',
  old_scheduler_running: 'Turn off the previous backup program, then confirm it.',
  passkey_not_valid:
    'This passkey can’t be used at {origin}. If that is not the address in your browser, Holdfast must trust its proxy, and the proxy must pass on Host.',
  preview_keeps_nothing: 'These rules keep nothing: set at least one of them above 0.',
  prune_keeps_nothing: 'No retention rule keeps anything: set at least one of them above 0.',
  prune_removes_more_than_half:
    'Rejected: {count} of {total} archives would be removed, more than half. Nothing was removed. Preview and confirm it.',
  prune_rules_keep_nothing: 'These rules keep nothing: set at least one of them above 0.',
  repository_connection_removed:
    'The repository is on another host, but its connection was removed: choose another.',
  restore_path_exists:
    '{path} already exists. Choose another destination, or keep or replace existing files.',
  restore_paths_exist:
    '{path} already exists (and {more} more). Choose another destination, or keep or replace existing files.',
  restore_plan_obstructed: '{obstacle} Then make a new plan.',
  rules_keep_nothing:
    'These rules keep nothing: set at least one of them above 0, or every archive of the schedule would be removed.',
  schedule_repositories_missing: 'A schedule needs at least one repository.',
  schedule_without_hooks:
    'The scripts of {repositories} do not run with this schedule, for example those that make snapshots or dumps.',
  schedules_without_hooks: 'These schedules do not run the scripts of the repository: {schedules}.',
  service_url_of_web_page:
    'Holdfast can’t send to {scheme}://. For a webhook, write {instead}://; for Discord or Slack, discord:// or slack://. Supported: {supported}. Other services need an Apprise server.',
  snooze_in_the_past: 'This time has passed: choose one in the future.',
  snooze_too_long: 'Choose a time within a year from now.',
  source_connection_removed:
    'The source host of repository {repository} was removed. Choose another host, or directories on this server.',
  ssh_key_turned_off: 'The SSH key {key} is off: turn it on first.',
  target_too_full:
    'The restore needs at most {needed} at the target, but only {free} are free: free some space. Sparse files need less: you can try anyway.',
};

const translations: Translations = { sentences, words: {} };
export default translations;
