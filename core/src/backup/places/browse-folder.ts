import { posix } from 'node:path';
import type { FolderItem, FolderView } from '@holdfast/contracts';
import {
  AppError,
  escapeName,
  forbidden,
  hasUndecodable,
  invalid,
  isoTime,
  normalised,
  notFound,
  requireValidPath,
  say,
  silentPlace,
  withinTime,
} from '../../foundation/kernel/index.js';
import type { FolderEntry } from '../../foundation/ports/filesystem.js';
import { FewAtOnce } from './few-at-once.js';
import type { PlacesNeeds } from './needs.js';

const patienceMs = 10_000;
const mostAtOnce = 2;

/**
 * One folder of this machine. Throws AppError `invalid` (path, no folder), `not_found`, `forbidden`, `unavailable`
 * (its file system does not answer).
 */
export const browseFolder = ({ files }: PlacesNeeds) => {
  const turns = new FewAtOnce(mostAtOnce);
  return async ({ path, limit }: { path: string; limit: number }): Promise<FolderView> => {
    requireValidPath('path', path);
    if (!path.startsWith('/')) {
      throw invalid(
        say`path_not_absolute: path must be absolute: give the full path, starting with a slash.`,
      );
    }
    const shown = normalised(path);
    const late = () => new AppError('unavailable', silentPlace(shown), { retryAfterSeconds: 30 });
    const look = (folder: string) =>
      withinTime(patienceMs, () => turns.start(() => files.list(folder, { limit })), late);
    const found = await look(shown).catch((error: unknown) => {
      // A name that really is written like an escaped one goes first.
      const meant = unescaped(shown);
      if (codeOf(error) !== 'ENOENT' || meant === shown) throw failure(error, shown);
      return look(meant).catch((again: unknown) => {
        throw failure(again, shown);
      });
    });
    return {
      success: true,
      current_path: shown,
      parent_path: shown === '/' ? null : posix.dirname(shown),
      free_bytes: found.freeBytes,
      mount: found.mount && escapeName(found.mount),
      repository: found.repository,
      items: found.entries.map((entry) => itemView(entry, shown)),
      truncated: found.truncated,
    };
  };
};

const itemView = (
  { name, type, size, modified, mode, ...entry }: FolderEntry,
  folder: string,
): FolderItem => ({
  name: escapeName(name),
  ...(hasUndecodable(name) ? { name_escaped: true as const } : {}),
  path: escapeName(posix.join(folder, name)),
  type,
  is_directory: type === 'directory',
  size,
  modified: isoTime(modified),
  permissions: mode === null ? null : mode.toString(8).padStart(3, '0'),
  readable: entry.readable,
  repository: entry.repository,
});

/** Bytes that are not UTF-8, as answers write them, become lone surrogates again. */
const unescaped = (path: string): string =>
  path.replace(/\\u(dc[89a-f][0-9a-f])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code;

function failure(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ELOOP':
      return notFound(say`folder_unknown: There is no folder ${{ path }}.`);
    case 'ENOTDIR':
      return invalid(say`folder_is_file: ${{ path }} is not a folder.`);
    case 'EACCES':
    case 'EPERM':
      return forbidden(say`folder_denied: Holdfast may not read ${{ path }}: change its owner or mode.`);
    case 'ETIMEDOUT':
      return new AppError('unavailable', silentPlace(path), { retryAfterSeconds: 30 });
    case 'ENAMETOOLONG':
      return invalid(say`folder_name_too_long: ${{ path }} is too long for a path.`);
    default:
      return error instanceof AppError
        ? error
        : new AppError(
            'unavailable',
            say`folder_unreadable: ${{ path }} could not be read: check its disk.`,
            {
              cause: error,
            },
          );
  }
}
