import type { DiscoverInput, DiscoveryView, FoundRepositoryView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { repositories } from '../../backup/repositories/index.js';
import type { SshConnectionRow } from '../../backup/ssh/index.js';
import { findConnection, pathOf, remoteLocation } from '../../backup/ssh/index.js';
import type { JobRow } from '../../engine/jobs/index.js';
import { errorOf, findJob } from '../../engine/jobs/index.js';
import {
  type Caller,
  escapeName,
  invalid,
  isoTime,
  messageFrom,
  normalised,
  requireValidPath,
  type StoredMessage,
  say,
  sentenceOf,
} from '../../foundation/kernel/index.js';
import type { DiscoveryParameters } from './discovery-handler.js';
import type { MovingInNeeds } from './needs.js';
import { type FoundRow, foundRepositories } from './tables.js';

/** Queues a discovery. Throws AppError `invalid` (path), `not_found` (connection). */
export async function discover(
  { storage, jobs }: MovingInNeeds,
  caller: Caller,
  { path, connection_id, depth }: DiscoverInput,
) {
  const connection = connection_id == null ? null : await findConnection(storage, connection_id);
  const root = connection ? remoteRoot(connection, path ?? connection.default_path) : localRoot(path);
  const shown = connection ? `${connection.username}@${connection.host}:${root}` : root;
  const parameters: DiscoveryParameters = { path: root, connectionId: connection?.id ?? null, depth };
  const job = await jobs.insert({
    kind: 'discovery',
    repository: { id: null, path: root, name: shown },
    parameters,
    requestedBy: caller.username,
  });
  jobs.wake(job.id);
  const message = `Searching for repositories in ${shown}.`;
  return { success: true as const, job_id: job.id, status: 'pending' as const, message };
}

function localRoot(path: string | null | undefined): string {
  if (path == null) throw invalid(say`discovery_without_path: Give the path to search.`);
  requireValidPath('path', path);
  if (path.startsWith('/')) return normalised(path);
  throw invalid(
    say`discovery_path_not_absolute: path must be absolute: give the full path, starting with a slash.`,
  );
}

/** As the tool on that host sees it. */
function remoteRoot(connection: SshConnectionRow, path: string): string {
  requireValidPath('path', path);
  if (/^\/+$/.test(path)) return '/';
  if (/^[.~]\/?$/.test(path)) return '.';
  return pathOf(remoteLocation(connection, path)).replace(/^\/[.~]\//, './');
}

export interface FoundQuery {
  after?: number | undefined;
  limit: number;
}

/** Throws AppError `not_found`. */
export async function showDiscovery(
  { storage }: MovingInNeeds,
  jobId: number,
  { after = 0, limit }: FoundQuery,
): Promise<DiscoveryView> {
  const job = await findJob(storage, 'discovery', jobId);
  const where = { job_id: jobId };
  const [rows, [counted]] = await Promise.all([
    storage.find(foundRepositories, {
      where: { ...where, id: { gt: after } },
      order: [['id', 'asc']],
      limit: limit + 1,
    }),
    storage.aggregate(foundRepositories, { where, measures: { count: { count: true } } }),
  ]);
  const shown = rows.slice(0, limit);
  const { path, connectionId: connection_id } = job.parameters as DiscoveryParameters;
  const outcome = (job.outcome ?? {}) as { unreadable?: number; truncated?: boolean };
  return {
    success: true,
    job_id: job.id,
    status: job.status,
    path,
    connection_id,
    ...errorOf(job),
    folders: job.progress.files,
    unreadable: outcome.unreadable ?? 0,
    truncated: outcome.truncated ?? false,
    total: counted?.count ?? 0,
    found: await foundViews(storage, job, shown),
    next_after: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** Results of a discovery, each with its current registration. */
export async function foundViews(
  storage: Pick<StorageSession, 'find'>,
  job: JobRow,
  rows: readonly FoundRow[],
): Promise<FoundRepositoryView[]> {
  const place = await placesOf(storage, job);
  return rows.map((row) => {
    const { id, path, tool_id, key_inside, modified, opened } = row;
    const { registered, sameAs } = place.registrationsOf(row);
    return {
      id,
      path: escapeName(path),
      connection_id: place.connection?.id ?? null,
      repository_id: tool_id,
      key_in_repository: key_inside,
      last_modified: isoTime(modified),
      already_registered: registered,
      same_as: registered === null ? sameAs : null,
      broken: shown(row.broken),
      opened,
      open_error: shown(row.open_error),
    };
  });
}

export async function placesOf(storage: Pick<StorageSession, 'find'>, job: JobRow) {
  const { connectionId } = job.parameters as DiscoveryParameters;
  const connection =
    connectionId === null
      ? null
      : await findConnection(storage as StorageSession, connectionId).catch(() => null);
  const known = await storage.find(repositories);
  const byPath = new Map(known.map(({ path, id }) => [path, id]));
  const byTool = new Map(known.map(({ tool_id, id }) => [tool_id, id]));
  return {
    connection,
    /** As a registration has it; null when the connection is gone or the path can't be used. */
    locationOf: (path: string) => locationOf(connection, connectionId, path),
    registrationsOf({ path, tool_id }: Pick<FoundRow, 'path' | 'tool_id'>) {
      const location = locationOf(connection, connectionId, path);
      const registered = (location === null ? null : byPath.get(location)) ?? null;
      return { registered, sameAs: (tool_id === null ? null : byTool.get(tool_id)) ?? null };
    },
  };
}

function locationOf(
  connection: SshConnectionRow | null,
  connectionId: number | null,
  path: string,
): string | null {
  if (connectionId === null) return path;
  if (!connection) return null;
  try {
    return remoteLocation(connection, path);
  } catch {
    return null;
  }
}

const shown = (stored: StoredMessage | null) => (stored === null ? null : sentenceOf(messageFrom(stored)));
