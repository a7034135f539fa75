import { dirname } from 'node:path';
import type { RestoreInput } from '@holdfast/contracts';
import { parseArchivePath } from '../../domain/archive-path.js';
import { contains } from '../../domain/repository-path.js';
import type { RestoreOrder } from '../../domain/restore.js';
import { invalid } from '../../errors.js';
import { type RepositoryRow, repositories } from '../../schema/tables.js';
import { type ArchiveNeeds, findArchive } from '../archives/find-archive.js';
import type { Dependencies } from '../dependencies.js';

export type OrderNeeds = ArchiveNeeds & Pick<Dependencies, 'files' | 'settings'>;

export interface MadeOrder {
  order: RestoreOrder;
  repository: RepositoryRow;
}

/** What a request asks for, with its archive found. AppError `not_found`; `invalid` for a target that can't be one. */
export const makeOrder = (needs: OrderNeeds) => {
  const find = findArchive(needs);
  return async (input: RestoreInput): Promise<MadeOrder> => {
    const paths = input.paths.map((path) => parseArchivePath(path, 'paths'));
    const destination = parseDestination(input.destination);
    if (input.overwrite && input.skip_existing) {
      throw invalid('overwrite and skip_existing exclude each other: choose one.');
    }
    if (destination === '/' && input.strip_components > 0) {
      throw invalid('strip_components needs a destination folder: in place every path keeps its parts.');
    }
    const { repository, archive } = await find(input);
    await checkDestination(needs, destination);
    const order = {
      repositoryId: repository.id,
      archive: archive.name,
      archiveId: archive.tool_id,
      paths,
      destination,
      stripComponents: input.strip_components,
      overwrite: input.overwrite,
      skipExisting: input.skip_existing,
    };
    return { order, repository };
  };
};

function parseDestination(text: string): string {
  if (!text.startsWith('/')) {
    throw invalid('destination must be absolute: give the whole path, or "/" to restore in place.');
  }
  if (/[\0\r\n]/.test(text) || /\p{Surrogate}/u.test(text)) {
    throw invalid('destination must be a path of plain Unicode without line breaks.');
  }
  const path = text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text;
  const parts = path.slice(1).split('/');
  if (path !== '/' && parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw invalid('destination must not hold "..", "." or empty parts: give the plain path.');
  }
  if (Buffer.byteLength(path) > 4000 || parts.some((part) => Buffer.byteLength(part) > 255)) {
    throw invalid('destination is too long: at most 4000 bytes, and 255 for each part.');
  }
  return path;
}

async function checkDestination(needs: OrderNeeds, path: string): Promise<void> {
  const { files } = needs;
  let place = path;
  let kind = await files.kind(place);
  while (kind === 'missing' && place !== '/') {
    place = dirname(place);
    kind = await files.kind(place);
  }
  if (kind === 'denied') {
    throw invalid(`destination: the service may not look at ${place}: change its owner or mode.`);
  }
  if (kind !== 'directory') {
    throw invalid(`destination: ${place} is not a directory: name a folder, or one that is to be made.`);
  }
  const real = await files.realPath(path);
  if (real !== path) {
    throw invalid(`destination ${path} leads to ${real} by a symlink: give that path, if you mean it.`);
  }
  await refuseOwnPlaces(needs, path);
  if (path !== '/' && !(await files.writable(place))) {
    throw invalid(`destination: the service may not write to ${place}: change its owner or mode.`);
  }
}

/** AppError `invalid` for a place inside a registered repository or the data folder of the service. */
export async function refuseOwnPlaces({ storage, files, settings }: OrderNeeds, path: string): Promise<void> {
  if (contains(await files.realPath(settings.dataDirectory), path)) {
    throw invalid(`${path} lies inside the data folder of the service: choose another destination.`);
  }
  for (const repository of await storage.find(repositories)) {
    if (repository.connection_id !== null) continue;
    if (contains(await files.realPath(repository.path), path)) {
      throw invalid(`${path} lies inside repository ${repository.name}: choose another destination.`);
    }
  }
}
