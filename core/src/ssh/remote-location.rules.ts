import { posix } from 'node:path';
import { contains, invalid, refuseUnfit } from '../kernel/index.js';

/** What of a connection stands in the locations of its repositories. */
export interface RemotePlace {
  host: string;
  port: number;
  username: string;
  ssh_path_prefix: string | null;
}

export const isRemoteLocation = (location: string): boolean => location.startsWith('ssh://');

/**
 * The location of a repository on a connection's host. A path from the home folder begins with `./` or `~/`; any
 * other is from the root on, with the connection's prefix before it unless it is there. Of a whole `ssh://` address
 * only the path counts. AppError `invalid` for what can't be one.
 */
export function remoteLocation(place: RemotePlace, text: string): string {
  refuseUnfit('path', text);
  const given = pathOf(text.trim());
  const fromHome = /^\/*(?:\.|~)\/(.*)$/s.exec(given)?.[1];
  const path = (fromHome ?? given).replace(/^\/+/, '').replace(/\/$/, '');
  if (path === '' || path === '.') throw invalid('path must name a folder on the host.');
  if (path.includes('//')) throw invalid('path must not have an empty part: remove the doubled slash.');
  if (path.includes('::') || path.endsWith(':')) {
    throw invalid('path must not hold "::" nor end in ":": the backup tool would read it as an archive.');
  }
  const whole =
    fromHome === undefined ? prefixed(place, posix.normalize(`/${path}`)) : `/./${posix.normalize(path)}`;
  return `${addressOf(place)}${whole}`;
}

/** The location after its connection changed its address. */
export const movedLocation = (place: Omit<RemotePlace, 'ssh_path_prefix'>, location: string): string =>
  `${addressOf(place)}${pathOf(location)}`;

/** The path in an `ssh://` location; any other text is a path itself. */
export const pathOf = (location: string): string =>
  /^ssh:\/\/[^/]*(\/.*)?$/is.exec(location)?.[1] ?? (isRemoteLocation(location) ? '' : location);

function addressOf({ username, host, port }: Omit<RemotePlace, 'ssh_path_prefix'>): string {
  return `ssh://${username}@${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const prefixed = ({ ssh_path_prefix: prefix }: RemotePlace, path: string): string =>
  prefix === null || prefix === '/' || contains(prefix, path) ? path : `${prefix}${path}`;
