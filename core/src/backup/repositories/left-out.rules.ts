import type { BackupDriver } from '@holdfast/plugin-api/driver';
import { parseCustomFlags } from './repository.rules.js';
import type { RepositoryRow } from './tables.js';

export interface LeftOut {
  excluded(path: string): boolean;
  /** Patterns and flags of which this can't be told. */
  unknown: string[];
  /** Other file systems below a source are left out. */
  oneFileSystem: boolean;
}

/** What a backup with these settings leaves out. Without help of the driver nothing is excluded, and nothing is known. */
export function leftOutBy(
  { excludes }: Pick<BackupDriver, 'excludes'>,
  { exclude_patterns, custom_flags }: Pick<RepositoryRow, 'exclude_patterns' | 'custom_flags'>,
): LeftOut {
  const flags = parseCustomFlags(custom_flags);
  const known = excludes?.(exclude_patterns, flags);
  const none = { excluded: () => false, unknown: [...exclude_patterns, ...flags], oneFileSystem: false };
  return known ? { oneFileSystem: false, ...known } : none;
}
