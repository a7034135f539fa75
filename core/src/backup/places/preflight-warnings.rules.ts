import { humanSize, type Message, say, silentPlace } from '../../foundation/kernel/index.js';
import { missingBeforeScript, ownFolderIn } from '../repositories/index.js';

/** Of the repository. */
export interface Scripts {
  /** One runs before each backup, and may mount the sources. */
  before: boolean;
  /** Names of enabled schedules that run none of them. */
  leftOutBy: readonly string[];
}

/** What a preflight found; sizes in bytes. */
export interface PreflightFacts {
  sources: readonly string[];
  local: boolean;
  complete: boolean;
  files: number | null;
  bytes: number | null;
  unreadable: number;
  missing: readonly string[];
  scripts: Scripts;
  silent: readonly string[];
  symlinkSources: readonly string[];
  /** Other file systems below the sources, which the flags leave out. */
  skipped: readonly string[];
  uncheckedPatterns: readonly string[];
  freeBytes: number | null;
  sameDisk: readonly string[] | null;
  tool: string | null;
  dataDirectory: string;
  excluded(path: string): boolean;
}

/** What to think about before the first backup, the most serious first. */
export function preflightWarnings(facts: PreflightFacts): Message[] {
  const { missing, silent, symlinkSources, unreadable, files, bytes, freeBytes, sameDisk } = facts;
  const warnings: Message[] = [];
  const when = (is: boolean, message: Message) => {
    if (is) warnings.push(message);
  };
  when(
    missing.length > 0,
    facts.scripts.before
      ? missingBeforeScript(missing)
      : say`sources_missing: These sources do not exist: ${{ paths: [...missing] }}. Correct or mount them.`,
  );
  when(
    facts.scripts.leftOutBy.length > 0,
    say`schedules_without_hooks: These schedules do not run the scripts of the repository: ${{ schedules: [...facts.scripts.leftOutBy] }}. Set run_repository_scripts if backups need them.`,
  );
  warnings.push(...silent.map(silentPlace));
  when(
    facts.complete && files === 0 && missing.length < facts.sources.length,
    say`sources_without_files: The sources contain no files: check that they are mounted and not excluded.`,
  );
  when(
    unreadable > 0,
    say`sources_unreadable: ${{ count: unreadable }} files or folders can't be read. Backups will not include them.`,
  );
  when(
    symlinkSources.length > 0,
    say`sources_are_symlinks: These sources are symlinks, and only the links themselves are backed up: ${{ paths: [...symlinkSources] }}.`,
  );
  when(
    facts.skipped.length > 0,
    say`sources_skip_file_systems: --one-file-system skips these file systems and subvolumes: ${{ paths: [...facts.skipped] }}. Add them to the sources, or exclude them.`,
  );
  const own = facts.local ? ownFolderIn(facts.sources, facts) : null;
  if (own) warnings.push(own);
  when(
    freeBytes !== null && bytes !== null && freeBytes < bytes,
    say`place_too_small: The location has ${{ free: humanSize(freeBytes ?? 0) }} free, the sources have ${{ size: humanSize(bytes ?? 0) }}: the first backup may not fit.`,
  );
  when(
    (sameDisk?.length ?? 0) > 0,
    say`place_on_disk_of_sources: The repository would be on the same file system as ${{ paths: [...(sameDisk ?? [])] }}: if its disk fails, both are lost.`,
  );
  when(
    facts.tool === null,
    say`tool_not_found: Borg was not found on the host of the repository, or did not respond.`,
  );
  when(
    facts.uncheckedPatterns.length > 0,
    say`patterns_unchecked: These exclude patterns were not applied to the estimate: ${{ patterns: [...facts.uncheckedPatterns] }}.`,
  );
  return warnings;
}
