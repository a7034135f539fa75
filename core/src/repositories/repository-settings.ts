import type { RepositoryChanges } from '@holdfast/contracts';
import { compressionProblem } from './compression.rules.js';
import { parseCustomFlags } from './custom-flags.rules.js';
import { checkSources } from './repository-path.rules.js';
import { invalid } from '../kernel/errors.js';
import type { BackupDriver } from '../ports/backup-driver.js';
import type { RepositoryRow } from '../schema/tables.js';

/** What creating, importing and updating have in common, as it is stored. */
export type RepositorySettings = Pick<
  RepositoryRow,
  | 'compression'
  | 'source_directories'
  | 'exclude_patterns'
  | 'remote_path'
  | 'pre_backup_script'
  | 'post_backup_script'
  | 'hook_timeout'
  | 'pre_hook_timeout'
  | 'post_hook_timeout'
  | 'continue_on_hook_failure'
  | 'mode'
  | 'bypass_lock'
  | 'custom_flags'
  | 'connection_id'
  | 'source_connection_id'
  | 'freshness_hours'
  | 'shrink_warning_percent'
>;

type Texts = 'remote_path' | 'pre_backup_script' | 'post_backup_script' | 'custom_flags';
type Numbers = 'connection_id' | 'source_connection_id' | 'freshness_hours';
type GivenSettings = Omit<RepositorySettings, Texts | Numbers> & {
  [K in Texts]?: string | null | undefined;
} & { [K in Numbers]?: number | null | undefined };

/** The columns for a whole set of settings; an empty text becomes null. */
export const settingsOf = (given: GivenSettings): RepositorySettings => ({
  compression: given.compression,
  source_directories: [...new Set(given.source_directories)],
  exclude_patterns: given.exclude_patterns,
  remote_path: textOrNull(given.remote_path)?.trim() ?? null,
  pre_backup_script: textOrNull(given.pre_backup_script),
  post_backup_script: textOrNull(given.post_backup_script),
  hook_timeout: given.hook_timeout,
  pre_hook_timeout: given.pre_hook_timeout,
  post_hook_timeout: given.post_hook_timeout,
  continue_on_hook_failure: given.continue_on_hook_failure,
  mode: given.mode,
  bypass_lock: given.bypass_lock,
  custom_flags: textOrNull(given.custom_flags),
  connection_id: given.connection_id ?? null,
  source_connection_id: given.source_connection_id ?? null,
  freshness_hours: given.freshness_hours ?? null,
  shrink_warning_percent: given.shrink_warning_percent,
});

const textOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.trim() === '' ? null : text;

/** Checks each setting that was given, by itself. AppError `invalid`. */
export function checkGiven(driver: Pick<BackupDriver, 'checkCustomFlags'>, given: RepositoryChanges): void {
  checkSources(given.source_directories ?? []);
  const compression = given.compression === undefined ? null : compressionProblem(given.compression);
  if (compression) throw invalid(compression);
  const problems = driver.checkCustomFlags(parseCustomFlags(given.custom_flags ?? null));
  if (problems.length > 0) throw invalid(`custom_flags: ${problems.join(' ')}`);
}

/** Checks what the settings mean together. AppError `invalid`. */
export function checkTogether(settings: RepositorySettings): void {
  if (settings.mode === 'full' && settings.source_directories.length === 0) {
    throw invalid(
      'source_directories must name at least one directory in full mode; or set mode to observe.',
    );
  }
  if (settings.bypass_lock && settings.mode !== 'observe') {
    throw invalid('bypass_lock is for observe mode only: set it to false, or mode to observe.');
  }
}
