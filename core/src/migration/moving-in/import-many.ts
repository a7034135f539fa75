import {
  type ImportedRow,
  type ImportManyAnswer,
  type ImportManyInput,
  type ImportManyRow,
  repositoryToImport,
} from '@holdfast/contracts';
import {
  importRepository,
  type RecallRepository,
  type RepositoryRow,
  repositories,
  repositoryPath,
} from '../../backup/repositories/index.js';
import { findConnection, remoteLocation } from '../../backup/ssh/index.js';
import { codeOf, isAppError } from '../../foundation/kernel/index.js';
import { fewAtOnce } from './few-at-once.js';
import { freeNames } from './free-names.rules.js';
import type { MovingInNeeds } from './needs.js';

/**
 * Registers existing repositories, each with its own result. Paths that are already registered stay
 * unchanged, so the call can be repeated.
 */
export const importMany = (needs: MovingInNeeds, elsewhere: readonly RecallRepository[]) => {
  const importOne = importRepository(needs, elsewhere, { quick: true });
  return async (input: ImportManyInput): Promise<ImportManyAnswer> => {
    const rows = await named(needs, input.repositories);
    const results: ImportedRow[] = [];
    await fewAtOnce([...rows.entries()], async ([n, row]) => {
      results[n] = await imported(needs, importOne, { row, passphrase: input.passphrase ?? null });
    });
    const of = (result: ImportedRow['result']) => results.filter((each) => each.result === result).length;
    const [created, unchanged, failed] = [of('created'), of('unchanged'), of('failed')];
    return {
      success: true,
      message: `${created} repositories were imported, ${unchanged} already existed, ${failed} failed.`,
      repositories: results,
      created_count: created,
      unchanged_count: unchanged,
      failed_count: failed,
    };
  };
};

type NamedRow = ImportManyRow & { name: string };

/** Rows without a name get a unique one from their path. */
async function named({ storage }: MovingInNeeds, rows: readonly ImportManyRow[]): Promise<NamedRow[]> {
  const taken = [...(await storage.find(repositories)), ...rows].flatMap(({ name }) => name ?? []);
  const names = freeNames(
    rows.flatMap(({ name, path }) => (name === undefined ? path : [])),
    taken,
  );
  return rows.map((row) => ({ ...row, name: row.name ?? (names.shift() as string) }));
}

async function imported(
  needs: MovingInNeeds,
  importOne: ReturnType<typeof importRepository>,
  { row, passphrase }: { row: NamedRow; passphrase: string | null },
): Promise<ImportedRow> {
  const { path, connection_id = null } = row;
  const place = { path, connection_id };
  try {
    const there = await registeredAt(needs, row);
    if (there) return unchanged(place, there);
    const asked = repositoryToImport.parse({ ...row, passphrase: row.passphrase ?? passphrase });
    const { repository, warnings } = await importOne(asked);
    const { id, name, archive_count } = repository;
    const nothing = { detail: null, code: null, params: {}, ...(warnings && { warnings }) };
    return { ...place, result: 'created', repository_id: id, name, archive_count, ...nothing };
  } catch (error) {
    if (!isAppError(error)) throw error;
    // Another call, or the same repository twice in this one, was faster.
    const there = error.code === 'conflict' ? await registeredAt(needs, row) : null;
    if (there) return unchanged(place, there);
    const { detail, reason } = error;
    const nothing = { repository_id: null, name: null, archive_count: null };
    return { ...place, result: 'failed', ...nothing, detail, ...codeOf(reason) };
  }
}

const unchanged = (
  place: Pick<ImportedRow, 'path' | 'connection_id'>,
  { id, name, archive_count }: RepositoryRow,
): ImportedRow => ({
  ...place,
  result: 'unchanged',
  repository_id: id,
  name,
  archive_count,
  detail: null,
  code: null,
  params: {},
});

async function registeredAt(
  { storage, settings }: MovingInNeeds,
  { path: text, connection_id }: ImportManyRow,
): Promise<RepositoryRow | null> {
  const path =
    connection_id == null
      ? repositoryPath(text, settings.dataDirectory)
      : remoteLocation(await findConnection(storage, connection_id), text);
  const [row] = await storage.find(repositories, { where: { path }, limit: 1 });
  return row ?? null;
}
