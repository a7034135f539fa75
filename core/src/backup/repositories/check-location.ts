import { dirname } from 'node:path';
import type { StorageSession } from '@holdfast/plugin-api';
import {
  conflict,
  contains,
  invalid,
  isRemoteHostError,
  normalised,
  say,
} from '../../foundation/kernel/index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { RemoteAccount } from '../../foundation/ports/remote-host.js';
import {
  type ConnectionNeeds,
  isRemoteLocation,
  pathOf,
  remoteFailure,
  usingConnection,
} from '../ssh/index.js';
import type { SshConnectionRow } from '../ssh/tables.js';
import type { LeftOut } from './left-out.rules.js';
import { isLeftOut } from './own-folder.rules.js';
import { nameTaken } from './repositories.js';
import { repositories } from './tables.js';

interface Place {
  path: string;
  /** The sources on this machine. */
  sources: readonly string[];
  leftOut: LeftOut;
  /** The repository that is or will be at this place, if it is registered. */
  ownId?: number;
}

/**
 * Throws AppError `conflict` when the place belongs to another registered repository, also via symlinks; `invalid`
 * when it is inside one, contains a source, or is inside one without being left out of its backup.
 */
export async function checkPlace(
  { storage, files }: { storage: StorageSession; files: FileSystem },
  { path, sources, leftOut, ownId }: Place,
): Promise<void> {
  const real = await files.realPath(path);
  for (const other of await storage.find(repositories)) {
    if (other.id === ownId || isRemoteLocation(other.path)) continue;
    const itsReal = await files.realPath(other.path);
    if (other.path === path || itsReal === real) {
      throw atSamePath(other);
    }
    if (contains(itsReal, real)) {
      throw insideRepository(other);
    }
  }
  for (const source of sources) {
    const itsReal = await files.realPath(normalised(source));
    if (contains(itsReal, real) && !(await isSkipped(files, { source: itsReal, path: real, leftOut })))
      throw insideSource(source, path);
    if (contains(real, itsReal)) {
      throw sourceInside(source);
    }
  }
}

interface Inside {
  source: string;
  path: string;
  leftOut: LeftOut;
}

/** The place is excluded, or on another file system that the backup does not enter. */
async function isSkipped(files: FileSystem, { source, path, leftOut }: Inside): Promise<boolean> {
  if (source !== path && isLeftOut(source, path, leftOut.excluded)) return true;
  if (!leftOut.oneFileSystem) return false;
  const device = async (from: string) => {
    let place = from;
    while (place !== '/' && (await files.kind(place)) === 'missing') place = dirname(place);
    return (await files.space(place))?.device ?? null;
  };
  const [its, own] = await Promise.all([device(path), device(source)]);
  return its !== null && own !== null && its !== own;
}

const atSamePath = ({ name }: { name: string }) =>
  conflict(
    say`repository_path_of_other: Repository ${{ repository: name }} already has this path: choose another.`,
  );
const insideRepository = ({ name }: { name: string }) =>
  invalid(
    say`repository_inside_other: path is inside repository ${{ repository: name }}: choose another location.`,
  );
const insideSource = (source: string, path: string) =>
  invalid(
    say`repository_inside_source: path is inside the source ${{ source }}, so the repository would back up itself: choose another location, or exclude ${{ path }}.`,
  );
const sourceInside = (source: string) =>
  invalid(
    say`source_inside_repository: The source ${{ source }} is inside the repository: remove it from the sources.`,
  );

export async function checkNameFree(
  storage: StorageSession,
  { name, ownId }: { name: string; ownId?: number },
): Promise<void> {
  const [other] = await storage.find(repositories, { where: { name }, limit: 1 });
  if (other && other.id !== ownId) {
    throw conflict(nameTaken());
  }
}

/**
 * Throws AppError `invalid` unless a repository can be created here: the path, or its nearest existing parent, must
 * be a writable directory.
 */
export async function checkCreatable(files: FileSystem, path: string): Promise<void> {
  let place = path;
  let kind = await files.kind(place);
  while (kind === 'missing' && place !== '/') {
    place = dirname(place);
    kind = await files.kind(place);
  }
  if (kind === 'denied') throw unreadable(place);
  if (kind !== 'directory')
    throw invalid(
      say`repository_place_not_directory: path: ${{ path: place }} is not a directory: choose another location.`,
    );
  if (!(await files.writable(place))) {
    throw invalid(
      say`repository_place_not_writable: path: Holdfast may not write to ${{ path: place }}: change its owner or mode, or choose another location.`,
    );
  }
}

/** Throws AppError `invalid` unless there is a readable directory. */
export async function checkDirectory(files: FileSystem, path: string): Promise<void> {
  const kind = await files.kind(path);
  if (kind === 'missing')
    throw invalid(say`repository_folder_missing: path: ${{ path }} does not exist: correct it, or mount it.`);
  if (kind === 'denied') throw unreadable(path);
  if (kind !== 'directory')
    throw invalid(
      say`repository_path_not_directory: path: ${{ path }} is not a directory, so it can't be a repository.`,
    );
}

const unreadable = (path: string) =>
  invalid(say`repository_place_denied: path: Holdfast may not read ${{ path }}: change its owner or mode.`);

interface RemotePlace {
  location: string;
  connection: SshConnectionRow;
  /** The connection of the sources; null: on this machine. */
  sourceConnectionId: number | null;
  sources: readonly string[];
  leftOut: LeftOut;
  /** The repository that is or will be at this place, if it is registered. */
  ownId?: number | undefined;
}

/**
 * Throws AppError `conflict` when the place belongs to another registered repository, `invalid` when it is inside
 * one, inside a source on the same host, or contains one.
 */
export async function checkRemotePlace(session: StorageSession, place: RemotePlace): Promise<void> {
  const { location, connection, ownId } = place;
  for (const other of await session.find(repositories)) {
    if (other.id === ownId || !isRemoteLocation(other.path)) continue;
    if (other.path === location) throw atSamePath(other);
    if (contains(other.path, location)) throw insideRepository(other);
  }
  if (place.sourceConnectionId === connection.id) refuseOverlap(pathOf(location), place);
}

function refuseOverlap(path: string, { sources, leftOut }: Pick<RemotePlace, 'sources' | 'leftOut'>): void {
  for (const source of sources.map(normalised)) {
    if (contains(source, path) && !isLeftOut(source, path, leftOut.excluded))
      throw insideSource(source, path);
    if (contains(path, source)) throw sourceInside(source);
  }
}

/** The host was reached but does not run the command: its folders stay unknown. */
const noShell = new Set(['refused', 'failed', 'missing', 'permission']);

const listMissing = 'for path do [ -e "$path" ] || [ -L "$path" ] || printf "%s\\n" "$path"; done';

/**
 * Missing parent folders of a remote repository, outermost first; none when the host does not run the command. Throws
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
      outputOf(needs, account, ['sh', '-c', listMissing, 'holdfast', ...parents]),
    );
    const missing = new Set(output.split('\n'));
    return parents.filter((path) => missing.has(path));
  } catch (error) {
    if (!isRemoteHostError(error)) throw error;
    if (noShell.has(error.kind)) return [];
    throw remoteFailure(error);
  }
}

/** Removes empty parent folders. Never rejects. */
export async function removeParents(
  needs: ConnectionNeeds,
  connection: SshConnectionRow,
  parents: readonly string[],
): Promise<void> {
  if (parents.length === 0) return;
  const command = ['rmdir', ...[...parents].reverse()];
  await usingConnection(needs, connection, (account) => outputOf(needs, account, command)).catch(() => {});
}

/** For a path in the home folder they are relative to it, where commands start. */
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
