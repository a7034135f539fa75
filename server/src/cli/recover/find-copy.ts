import { copyFolder, manifestFile } from '@holdfast/core/server';
import type { ArchiveSummary, BackupDriver, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { CommandError } from '../exit.js';

/** A copy of Holdfast in an archive. */
export interface FoundCopy {
  archive: ArchiveSummary;
  /** The folder of the copy, as a path in the archive. */
  path: string;
  /** Of everything in it. */
  bytes: number;
}

/** An archive of a copy has few entries; archives of other things are not read to their end. */
const entriesLookedAt = 50_000;
const archivesLookedAt = 20;

/** The copy in the archive with that name, or in the newest one. Throws CommandError if there is none. */
export async function findCopy(
  driver: BackupDriver,
  target: RepositoryTarget,
  name?: string,
): Promise<FoundCopy> {
  const { value } = await driver.listArchives(target, {});
  const newestFirst = [...value].sort((a, b) => b.start - a.start);
  const asked = name === undefined ? newestFirst : newestFirst.filter((archive) => archive.name === name);
  if (name !== undefined && asked.length === 0)
    throw new CommandError(`There is no archive ${name} in ${target.location}.`);
  for (const archive of asked.slice(0, archivesLookedAt)) {
    const found = await copyIn(driver, target, archive);
    if (found) return found;
  }
  const where = name === undefined ? `The repository ${target.location}` : `The archive ${name}`;
  throw new CommandError(
    `${where} contains no copy of Holdfast. Name the repository with the backup of Holdfast itself; it is on the recovery sheet.`,
  );
}

async function copyIn(
  driver: BackupDriver,
  target: RepositoryTarget,
  archive: ArchiveSummary,
): Promise<FoundCopy | null> {
  const sizes = new Map<string, number>();
  for await (const entries of driver.listEntries(target, { archive: archive.name })) {
    for (const { path, size } of entries) sizes.set(path, size);
    if (sizes.size > entriesLookedAt) break;
  }
  const end = `/${copyFolder}/${manifestFile}`;
  const manifest = [...sizes.keys()].find((path) => `/${path}`.endsWith(end));
  if (manifest === undefined) return null;
  const path = manifest.slice(0, -`/${manifestFile}`.length);
  const inside = [...sizes].filter(([each]) => each.startsWith(`${path}/`));
  return { archive, path, bytes: inside.reduce((sum, [, size]) => sum + size, 0) };
}
