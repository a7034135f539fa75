import { DriverError } from '@holdfast/plugin-api/driver';

export const isRemote = (location: string): boolean => location.startsWith('ssh://');

const userName = '[A-Za-z0-9_][A-Za-z0-9._+-]*';
const hostName = '[A-Za-z0-9_][A-Za-z0-9._-]*|\\[[0-9a-fA-F:.]+\\]';
const remoteLocation = new RegExp(
  `^ssh://(?<user>${userName})@(?<host>${hostName}):(?<port>\\d{1,5})(?<path>/.+)$`,
);

interface RemoteParts {
  user: string;
  /** Without brackets for an IPv6 address. */
  host: string;
  port: string;
  path: string;
}

/** Splits `ssh://user@host:port/path`. The parts become words of command lines, so they are validated. */
export function partsOf(location: string): RemoteParts {
  const { user, host, port, path } = remoteLocation.exec(location)?.groups ?? {};
  if (user && host && port && path && !/[\r\n]/.test(path))
    return { user, host: host.replace(/^\[|\]$/g, ''), port, path };
  throw new DriverError('usage', 'The location must be ssh://user@host:port/path in plain characters.');
}

/** borg expands `{now}` and the like in locations, names and comments; doubled braces are literal. */
export const literal = (text: string): string => text.replace(/[{}]/g, '$&$&');

/** The location as an argument of the tool. Rejects what borg would misread. */
export function repositoryArgument(location: string): string {
  assertText(location, 'path of the repository');
  if (!isRemote(location) && !location.startsWith('/'))
    throw new DriverError('usage', 'The path of the repository must begin with a slash.');
  const path = isRemote(location) ? partsOf(location).path : location;
  if (path.includes('::') || path.endsWith(':'))
    throw new DriverError(
      'usage',
      'Borg cannot use a path that contains "::" or ends with ":". Choose another one.',
    );
  return literal(location);
}

export function archiveArgument(location: string, archive: string): string {
  assertText(archive, 'name of the archive');
  if (archive === '' || archive.includes('/'))
    throw new DriverError('usage', 'The name of an archive must not be empty or contain a slash.');
  return `${repositoryArgument(location)}::${literal(archive)}`;
}

/** Arguments are UTF-8 without NUL: any other text would change on its way to the tool. */
export function assertText(text: string, what: string): void {
  if (text.includes('\0') || /\p{Surrogate}/u.test(text))
    throw new DriverError('usage', `The ${what} contains a character that cannot be passed to Borg.`);
}
