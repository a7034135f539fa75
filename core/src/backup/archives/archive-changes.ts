import type { ArchiveComparison } from '@holdfast/contracts';
import { notFound, say } from '../../foundation/kernel/index.js';
import { readPage } from './archive-page.js';
import { type ArchiveNeeds, type FoundArchive, findArchive } from './archives.js';
import type { ListingNeeds } from './browse.js';
import { type ComparisonInput, compareArchives } from './compare.js';

/** The changes to an archive from another one, by default the one before it. Throws AppError `not_found`. */
export async function getArchiveChanges(
  needs: ArchiveNeeds & ListingNeeds,
  { with: given, ...input }: Omit<ComparisonInput, 'with'> & { with?: string | undefined },
  signal?: AbortSignal,
): Promise<ArchiveComparison> {
  const found = await findArchive(needs, input);
  const other = given ?? (await nameBefore(needs, found));
  const changes = await compareArchives(needs, { ...input, archive: other, with: input.archive }, signal);
  return { ...changes, archive: changes.with, with: changes.archive };
}

async function nameBefore({ storage }: ArchiveNeeds, { repository, archive }: FoundArchive): Promise<string> {
  const before = `${archive.start}-${archive.id}`;
  const { rows } = await readPage(storage, repository.id, { limit: 1, before });
  const [row] = rows;
  if (!row)
    throw notFound(
      say`archive_is_oldest: ${{ archive: archive.name }} is the oldest archive of repository ${{ repository: repository.name }}: give the archive to compare with.`,
    );
  return row.name;
}
