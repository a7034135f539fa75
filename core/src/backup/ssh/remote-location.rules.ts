import { posix } from 'node:path';
import { contains, invalid, requireValidPath, say } from '../../foundation/kernel/index.js';

/** The parts of a connection that are used in the locations of its repositories. */
export interface RemotePlace {
  host: string;
  port: number;
  username: string;
  ssh_path_prefix: string | null;
}

export const isRemoteLocation = (location: string): boolean => location.startsWith('ssh://');

/**
 * The location of a repository on the host of a connection. A path relative to the home folder begins with
 * `./` or `~/`. Any other path starts at the root and gets the prefix of the connection, unless it has it. Of
 * a whole `ssh://` address only the path is used. Throws AppError `invalid`.
 */
export function remoteLocation(place: RemotePlace, text: string): string {
  requireValidPath('path', text);
  const given = pathOf(text.trim());
  const fromHome = /^\/*(?:\.|~)\/(.*)$/s.exec(given)?.[1];
  const path = (fromHome ?? given).replace(/^\/+/, '').replace(/\/$/, '');
  if (path === '' || path === '.')
    throw invalid(say`path_not_folder_on_host: path must be a folder on the host.`);
  if (path.includes('//')) throw invalid(doubleSlash());
  if (path.includes('::') || path.endsWith(':')) {
    throw invalid(readAsArchive());
  }
  const whole =
    fromHome === undefined ? prefixed(place, posix.normalize(`/${path}`)) : `/./${posix.normalize(path)}`;
  return `${addressOf(place)}${whole}`;
}

export const doubleSlash = () =>
  say`path_has_double_slash: path must not have an empty segment: remove the double slash.`;

export const readAsArchive = () =>
  say`path_read_as_archive: path must not contain "::" or end in ":": Borg would treat it as an archive.`;

/** The location after its connection changed its address. */
export const movedLocation = (place: Omit<RemotePlace, 'ssh_path_prefix'>, location: string): string =>
  `${addressOf(place)}${pathOf(location)}`;

/** The path in an `ssh://` location; any other text is already a path. */
export const pathOf = (location: string): string =>
  /^ssh:\/\/[^/]*(\/.*)?$/is.exec(location)?.[1] ?? (isRemoteLocation(location) ? '' : location);

function addressOf({ username, host, port }: Omit<RemotePlace, 'ssh_path_prefix'>): string {
  return `ssh://${username}@${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const prefixed = ({ ssh_path_prefix: prefix }: RemotePlace, path: string): string =>
  prefix === null || prefix === '/' || contains(prefix, path) ? path : `${prefix}${path}`;
