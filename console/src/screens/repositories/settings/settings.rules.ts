import type { Schemas } from '../../../api/client.js';

type Repository = Schemas['RepositoryView'];

/** The fields of the form, in the format of the API. */
export const settingsOf = (repository: Repository) => ({
  name: repository.name,
  freshness_hours: repository.freshness_hours,
  shrink_warning_percent: repository.shrink_warning_percent,
  mass_change_percent: repository.mass_change_percent,
  mass_change_files: repository.mass_change_files,
  left_out: repository.left_out,
  tags: repository.tags,
  mode: repository.mode,
  source_set_id: repository.source_set_id,
  source_directories: repository.source_directories,
  source_connection_id: repository.source_ssh_connection_id,
  exclude_patterns: repository.exclude_patterns,
  sources: repository.sources,
  compression: repository.compression,
  remote_path: repository.remote_path ?? '',
  custom_flags: repository.custom_flags ?? '',
  bypass_lock: repository.bypass_lock,
  pre_backup_script: repository.pre_backup_script ?? '',
  post_backup_script: repository.post_backup_script ?? '',
  pre_hook_timeout: repository.pre_hook_timeout,
  post_hook_timeout: repository.post_hook_timeout,
  continue_on_hook_failure: repository.continue_on_hook_failure,
});

export type Settings = ReturnType<typeof settingsOf>;

const ofSources = ['source_directories', 'source_connection_id', 'exclude_patterns', 'sources'] as const;

/** Sources are not sent together with a source set. */
export function bodyOf(changes: Partial<Settings>, setId: number | null): Partial<Settings> {
  if (setId === null) return changes;
  const rest = { ...changes };
  for (const field of ofSources) delete rest[field];
  return rest;
}
