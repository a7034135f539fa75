import type { BorgmaticExported, BorgmaticExportInput } from '@holdfast/contracts';
import type { LeavingRepository } from '@holdfast/plugin-api/importer';
import { findRepository, type RepositoryRow, repositories } from '../../../backup/repositories/index.js';
import { importerOf } from '../../../engine/plugins/index.js';
import { messageFrom, shownReason } from '../../../foundation/kernel/index.js';
import type { SettingsNeeds } from '../needs.js';
import { readRepository } from './read-repository.js';

/** One file for each repository. Throws AppError `not_found`. */
export async function exportBorgmatic(
  needs: SettingsNeeds,
  { importer: id, repository_ids: ids, secrets }: BorgmaticExportInput,
): Promise<BorgmaticExported> {
  const rows = ids ? await selected(needs, ids) : await needs.storage.find(repositories);
  const leaving: LeavingRepository[] = [];
  for (const row of rows) leaving.push(await readRepository(needs, row, secrets));
  const { files, notes } = await importerOf(needs.importers, id).using((importer) =>
    importer.write(leaving, { secrets }),
  );
  return {
    success: true,
    files,
    notes: notes.map(({ file, note }) => ({ file, ...shownReason(messageFrom(note)), reason: note.text })),
  };
}

async function selected({ storage }: SettingsNeeds, ids: readonly number[]): Promise<RepositoryRow[]> {
  const rows: RepositoryRow[] = [];
  for (const id of new Set(ids)) rows.push(await findRepository(storage, { repository_id: id }));
  return rows;
}
