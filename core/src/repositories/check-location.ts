import { dirname } from 'node:path';
import { isRemoteLocation } from '../ssh/remote-location.rules.js';
import { contains, normalised } from './repository-path.rules.js';
import { conflict, invalid } from '../kernel/errors.js';
import type { FileSystem } from '../ports/filesystem.js';
import type { StorageSession } from '../ports/storage.js';
import { repositories } from '../schema/tables.js';

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
