import type { BorgmaticExported, BorgmaticExportInput } from '@holdfast/contracts';
import { findRepository, type RepositoryRow, repositories } from '../../../../backup/repositories/index.js';
import { shownReason } from '../../../../foundation/kernel/index.js';
import type { ExchangeNeeds } from '../../needs.js';
import { configOf } from './config-of.rules.js';
import { readRepository } from './read-repository.js';
import { yamlOf } from './yaml-of.js';

/** One file for each repository. Throws AppError `not_found`. */
export async function exportBorgmatic(
  needs: ExchangeNeeds,
  { repository_ids: ids, secrets }: BorgmaticExportInput,
): Promise<BorgmaticExported> {
  const rows = ids ? await selected(needs, ids) : await needs.storage.find(repositories);
  const names = new Set<string>();
  const files: BorgmaticExported['files'] = [];
  const notes: BorgmaticExported['notes'] = [];
  for (const row of rows) {
    const fileName = freeName(row.name, names);
    const file = `${fileName}.yaml`;
    const { config, notes: ofIt } = configOf(await readRepository(needs, row, { secrets, fileName }));
    const remarks = ofIt.map((note) => note.text);
    files.push({
      name: file,
      content: await yamlOf(config, [`Repository ${row.name}, from Holdfast.`, ...remarks]),
    });
    notes.push(...ofIt.map((note) => ({ file, ...shownReason(note), reason: note.text })));
  }
  return { success: true, files, notes };
}

async function selected({ storage }: ExchangeNeeds, ids: readonly number[]): Promise<RepositoryRow[]> {
  const rows: RepositoryRow[] = [];
  for (const id of new Set(ids)) rows.push(await findRepository(storage, { repository_id: id }));
  return rows;
}

/** A name for files and shells. */
function freeName(text: string, taken: Set<string>): string {
  const base =
    text
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[.-]+|-+$/g, '')
      .slice(0, 80) || 'repository';
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
  taken.add(name);
  return name;
}
