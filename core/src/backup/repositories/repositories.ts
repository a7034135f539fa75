import { posix } from 'node:path';
import type { GivenSource, RepositoryReference, RepositoryView } from '@holdfast/contracts';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import { jobs } from '../../engine/jobs/index.js';
import {
  type Caller,
  clientSize,
  conflict,
  invalid,
  isoTime,
  notFound,
  ReadCache,
  say,
  shownParams,
  textFor,
} from '../../foundation/kernel/index.js';
import { isRemoteLocation } from '../ssh/index.js';
import { type SshConnectionRow, sshConnections } from '../ssh/tables.js';
import type { RepositoriesNeeds } from './needs.js';
import { openErrorOf } from './recording-driver.js';
import { shownSources } from './source-settings.js';
import { type Space, spaceAt } from './space.rules.js';
import { type RepositoryRow, repositories, shownSettings } from './tables.js';

export interface RepositorySelector {
  repository?: RepositoryReference | undefined;
  repository_id?: number | undefined;
}

/** The registered repository with this path or id (a string of digits is an id). Throws AppError `not_found`. */
export async function findRepository(
  storage: StorageSession,
  { repository, repository_id }: RepositorySelector,
): Promise<RepositoryRow> {
  const reference = repository ?? repository_id;
  if (reference === undefined)
    throw invalid(say`repository_not_given: repository is required: give its path or id.`);
  const id = typeof reference === 'number' ? reference : idIn(reference);
  const where = id === null ? { path: normalised(String(reference)) } : { id };
  const [row] = await storage.find(repositories, { where, limit: 1 });
  if (!row) {
    throw notFound(
      id === null
        ? say`repository_path_unknown: There is no repository with this path: see GET /api/repositories/.`
        : say`repository_unknown: There is no repository ${{ id }}: see GET /api/repositories/.`,
    );
  }
  return row;
}

function idIn(text: string): number | null {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}

function normalised(path: string): string {
  const trimmed = path.trim();
  if (!trimmed.startsWith('/')) return trimmed;
  const clean = posix.normalize(trimmed);
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}

export async function getRepository(
  { storage }: Pick<RepositoriesNeeds, 'storage'>,
  caller: Caller,
  id: number,
) {
  return {
    success: true as const,
    repository: repositoryViewFor(caller, await viewRepository(storage, id)),
  };
}

/** The full view with the hook scripts, which only administrators may see. Throws AppError `not_found`. */
export async function viewRepository(storage: StorageSession, id: number): Promise<RepositoryView> {
  const row = await findRepository(storage, { repository_id: id });
  const maintained = (await runningMaintenance(storage)).has(id);
  return repositoryView(row, { maintained, connections: await connectionsById(storage) });
}

export const listRepositories = ({ storage }: RepositoriesNeeds) => {
  const cache = new ReadCache(storage);
  const readAll = () =>
    cache.read('all', async () => {
      const [rows, maintained, connections] = await Promise.all([
        storage.find(repositories),
        runningMaintenance(storage),
        connectionsById(storage),
      ]);
      return rows.map((row) => repositoryView(row, { maintained: maintained.has(row.id), connections }));
    });
  return async (caller: Caller) => ({
    success: true as const,
    repositories: (await readAll()).map((view) => repositoryViewFor(caller, view)),
  });
};

const pathTaken = () => say`repository_path_taken: Another repository has this path: choose another.`;
export const nameTaken = () => say`repository_name_taken: Another repository has this name: choose another.`;

/** Writes a repository. Throws AppError `conflict` when its name or path is taken. */
export async function reportTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw conflict(error.key === 'path' ? pathTaken() : nameTaken(), { cause: error });
  }
}

async function connectionsById(session: StorageSession): Promise<Map<number, SshConnectionRow>> {
  const rows = await session.find(sshConnections);
  return new Map(rows.map((row) => [row.id, row]));
}

interface RepositoryFacts {
  /** A check, compact or prune job of it is running. */
  maintained: boolean;
  /** All connections by id. */
  connections: ReadonlyMap<number, SshConnectionRow>;
}

const repositoryView = (
  row: RepositoryRow,
  { maintained, connections }: RepositoryFacts,
): RepositoryView => ({
  id: row.id,
  name: row.name,
  path: row.path,
  encryption: row.encryption,
  ...settingsShown(row),
  repository_type: isRemoteLocation(row.path) ? 'ssh' : 'local',
  ...placeOf(connections.get(row.connection_id ?? 0)),
  source_ssh_connection_id: connections.get(row.source_connection_id ?? 0)?.id ?? null,
  last_backup: isoTime(row.last_backup),
  last_check: isoTime(row.last_check),
  last_compact: isoTime(row.last_compact),
  total_size: row.stored_size === null ? null : clientSize(row.stored_size),
  total_size_bytes: row.stored_size,
  ...spaceView(spaceAt(row, connections.get(row.connection_id ?? 0))),
  archive_count: row.archive_count,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
  has_running_maintenance: maintained,
  has_keyfile: row.key_file !== null,
  self_backup: row.self_backup,
  open_error: row.open_error,
  open_error_code: openErrorOf(row)?.code ?? null,
  open_error_params: shownParams(openErrorOf(row)?.params ?? null),
  open_error_at: isoTime(row.open_error_at),
  open_error_kind: row.open_error_kind,
  append_only: row.append_only,
  unsigned_archives: row.unsigned_archives,
  mass_change: row.mass_change && { ...row.mass_change, at: isoTime(row.mass_change_at ?? 0) },
});

const spaceView = (space: Space | null) => ({
  free_bytes: space?.free ?? null,
  location_total_bytes: space?.total ?? null,
  location_as_of: isoTime(space?.at ?? null),
});

const settingsShown = (row: RepositoryRow) =>
  ({
    ...Object.fromEntries(shownSettings.map((name) => [name, row[name]])),
    sources: shownSources(row.sources),
  }) as Omit<Pick<RepositoryRow, (typeof shownSettings)[number]>, 'sources'> & { sources: GivenSource[] };

const placeOf = (connection: SshConnectionRow | undefined) => ({
  host: connection?.host ?? null,
  port: connection?.port ?? null,
  username: connection?.username ?? null,
  ssh_key_id: connection?.ssh_key_id ?? null,
  connection_id: connection?.id ?? null,
});

/** The view as this caller may see it. */
const repositoryViewFor = (caller: Caller, view: RepositoryView): RepositoryView => ({
  ...view,
  pre_backup_script: view.pre_backup_script && textFor(caller, view.pre_backup_script),
  post_backup_script: view.post_backup_script && textFor(caller, view.post_backup_script),
});

/** Ids of repositories with a running check, compact or prune job. */
async function runningMaintenance(storage: StorageSession): Promise<Set<number | null>> {
  const rows = await storage.find(jobs, {
    where: { status: 'running', kind: { in: ['check', 'compact', 'prune'] } },
  });
  return new Set(rows.map((row) => row.repository_id));
}
