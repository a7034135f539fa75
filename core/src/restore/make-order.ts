import type { RestoreInput } from '@holdfast/contracts';
import { parseArchivePath } from '../archives/archive-path.rules.js';
import type { RestoreOrder } from './restore.rules.js';
import { invalid } from '../kernel/errors.js';
import type { RepositoryRow } from '../schema/tables.js';
import { type ArchiveNeeds, findArchive } from '../archives/find-archive.js';
import { atTarget, type TargetNeeds } from './open-restore-target.js';

export type OrderNeeds = ArchiveNeeds & TargetNeeds;

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
    const connectionId = input.destination_connection_id ?? null;
    const host = await atTarget(needs, connectionId, async (place) => {
      await place.checkDestination(destination);
      return place.host;
    });
    const order = {
      repositoryId: repository.id,
      archive: archive.name,
      archiveId: archive.tool_id,
      archiveMade: { start: archive.start, comment: archive.comment },
      paths,
      destinationConnectionId: connectionId,
      destinationHost: host,
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
