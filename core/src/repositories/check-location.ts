import { dirname } from 'node:path';
import type { StorageSession } from '@holdfast/plugin-api';
import { conflict, contains, invalid, isRemoteHostError, normalised } from '../kernel/index.js';
import type { FileSystem } from '../ports/filesystem.js';
import type { RemoteAccount } from '../ports/remote-host.js';
import {
  type ConnectionNeeds,
  isRemoteLocation,
  pathOf,
  remoteFailure,
  usingConnection,
} from '../ssh/index.js';
import type { SshConnectionRow } from '../ssh/tables.js';
import { repositories } from './tables.js';

interface Place {
  path: string;
  /** Those on this machine. */
  sources: readonly string[];
  /** The repository whose place this is or becomes, when it is registered. */
  ownId?: number;
}

/**
 * AppError `conflict` when the place belongs to another registered repository, also by way of symlinks;
 * `invalid` when it lies inside one, inside one of the sources, or has a source inside.
 */
export async function checkPlace(
  { storage, files }: { storage: StorageSession; files: FileSystem },
  { path, sources, ownId }: Place,
): Promise<void> {
  const real = await files.realPath(path);
  for (const other of await storage.find(repositories)) {
    if (other.id === ownId || isRemoteLocation(other.path)) continue;
    const itsReal = await files.realPath(other.path);
    if (other.path === path || itsReal === real) {
      throw conflict(`Repository ${other.name} has this path already: choose another.`);
    }
    if (contains(itsReal, real)) {
      throw invalid(`path lies inside repository ${other.name}: choose a place beside it.`);
    }
  }
  for (const source of sources) {
    const itsReal = await files.realPath(normalised(source));
    if (contains(itsReal, real)) {
      throw invalid(
        `path lies inside the source ${source}, so it would back up itself: choose a place outside.`,
      );
    }
    if (contains(real, itsReal)) {
      throw invalid(`The source ${source} lies inside the repository: leave it out.`);
    }
  }
}

export async function checkNameFree(
  storage: StorageSession,
  { name, ownId }: { name: string; ownId?: number },
): Promise<void> {
  const [other] = await storage.find(repositories, { where: { name }, limit: 1 });
  if (other && other.id !== ownId) {
    throw conflict('Another repository has this name: choose another.');
  }
}

/**
 * AppError `invalid` unless a repository can be made here: the place, or else what it would stand in, is
 * ours to write.
 */
export async function checkRoomForNew(files: FileSystem, path: string): Promise<void> {
  let place = path;
  let kind = await files.kind(place);
  while (kind === 'missing' && place !== '/') {
    place = dirname(place);
    kind = await files.kind(place);
  }
  if (kind === 'denied')
    throw invalid(`path: the service may not look into ${place}: change its owner or mode.`);
  if (kind !== 'directory') throw invalid(`path: ${place} is not a directory: choose another place.`);
  if (!(await files.writable(place))) {
    throw invalid(
      `path: the service may not write to ${place}: change its owner or mode, or choose another place.`,
    );
  }
}

/** AppError `invalid` unless there is a directory that can be looked into. */
export async function checkDirectory(files: FileSystem, path: string): Promise<void> {
  const kind = await files.kind(path);
  if (kind === 'missing')
    throw invalid(`path: no repository is at ${path}, nothing is there: correct it, or mount it.`);
  if (kind === 'denied')
    throw invalid(`path: the service may not look at ${path}: change its owner or mode.`);
  if (kind !== 'directory') throw invalid(`path: ${path} is not a directory, so it is no repository.`);
}

interface RemotePlace {
  location: string;
  connection: SshConnectionRow;
  /** Where the sources are; null: on this machine. */
  sourceConnectionId: number | null;
  sources: readonly string[];
  /** The repository whose place this is or becomes, when it is registered. */
  ownId?: number | undefined;
}

/**
 * AppError `conflict` when the place belongs to another registered repository, `invalid` when it lies inside one,
 * inside a source of the same host, or has one inside.
 */
export async function checkRemotePlace(session: StorageSession, place: RemotePlace): Promise<void> {
  const { location, connection, ownId } = place;
  for (const other of await session.find(repositories)) {
    if (other.id === ownId || !isRemoteLocation(other.path)) continue;
    if (other.path === location)
      throw conflict(`Repository ${other.name} has this path already: choose another.`);
    if (contains(other.path, location))
      throw invalid(`path lies inside repository ${other.name}: choose a place beside it.`);
  }
  if (place.sourceConnectionId === connection.id) refuseOverlap(pathOf(location), place.sources);
}

function refuseOverlap(path: string, sources: readonly string[]): void {
  for (const source of sources.map(normalised)) {
    if (contains(source, path)) {
      throw invalid(
        `path lies inside the source ${source}, so it would back up itself: choose a place outside.`,
      );
    }
    if (contains(path, source))
      throw invalid(`The source ${source} lies inside the repository: leave it out.`);
  }
}

/** The host did what it could, but runs no such command: then its folders are not known. */
const noShell = new Set(['refused', 'failed', 'missing', 'permission']);

const tellMissing = 'for path do [ -e "$path" ] || [ -L "$path" ] || printf "%s\\n" "$path"; done';

/**
 * Folders above a remote repository's place that are not there, outermost first; none where the host does not tell.
 * AppError when the host can't be reached.
 */
export async function missingParents(
  needs: ConnectionNeeds,
  connection: SshConnectionRow,
  location: string,
): Promise<string[]> {
  const parents = parentsOf(location);
  try {
    const output = await usingConnection(needs, connection, (account) =>
      outputOf(needs, account, ['sh', '-c', tellMissing, 'holdfast', ...parents]),
    );
    const told = new Set(output.split('\n'));
    return parents.filter((path) => told.has(path));
  } catch (error) {
    if (!isRemoteHostError(error)) throw error;
    if (noShell.has(error.kind)) return [];
    throw remoteFailure(error);
  }
}

/** Removes those that are empty. Never rejects. */
export async function removeParents(
  needs: ConnectionNeeds,
  connection: SshConnectionRow,
  parents: readonly string[],
): Promise<void> {
  if (parents.length === 0) return;
  const command = ['rmdir', ...[...parents].reverse()];
  await usingConnection(needs, connection, (account) => outputOf(needs, account, command)).catch(() => {});
}

/** Those of a path from the home folder are relative to it, where commands start. */
function parentsOf(location: string): string[] {
  const path = pathOf(location);
  const names = path
    .replace(/^\/(\.\/|~\/)?/, '')
    .split('/')
    .slice(0, -1);
  const root = /^\/[.~]\//.test(path) ? './' : '/';
  return names.map((_, index) => root + names.slice(0, index + 1).join('/'));
}

async function outputOf(
  { remoteHost }: ConnectionNeeds,
  account: RemoteAccount,
  command: string[],
): Promise<string> {
  const process = await remoteHost.run(account, command, { signal: AbortSignal.timeout(30_000) });
  process.stdin.end();
  process.stderr.resume();
  let output = '';
  for await (const piece of process.stdout.setEncoding('utf8') as AsyncIterable<string>) output += piece;
  await process.exit;
  return output;
}
