import { DriverError, type RepositoryTarget, type SshTransport } from '@holdfast/plugin-api/driver';
import { isRemote, partsOf } from './location.js';

/** The same for every host: no configuration, agent, password or host key but ours, and no endless silence. */
const settings = [
  'IdentitiesOnly=yes',
  'BatchMode=yes',
  'PreferredAuthentications=publickey',
  'StrictHostKeyChecking=yes',
  'GlobalKnownHostsFile=/dev/null',
  'CheckHostIP=no',
  'UpdateHostKeys=no',
  'VerifyHostKeyDNS=no',
  'HashKnownHosts=no',
  'ConnectTimeout=10',
  'ServerAliveInterval=10',
  'ServerAliveCountMax=3',
  'ControlMaster=no',
  'ControlPath=none',
  'ForwardAgent=no',
  'ForwardX11=no',
  'ClearAllForwardings=yes',
  'PermitLocalCommand=no',
  'RequestTTY=no',
  'LogLevel=ERROR',
];

/**
 * The value of `BORG_RSH`; host, port and user come from the location. ssh's own messages go to the log file: borg
 * loses them if the connection ends at once.
 */
export const remoteShell = (transport: SshTransport, logFile: string, prefix: string[] = []): string =>
  [...prefix, ...sshArgs(transport, logFile)].map(shellWord).join(' ');

/** The program and its options, without port, user and host. */
export function sshArgs(transport: SshTransport, logFile: string): string[] {
  return [
    ...['ssh', '-F', 'none', '-E', logFile],
    ...['-o', `IdentityFile=${quotedValue(plainPath(transport.keyFile))}`],
    ...settings.flatMap((setting) => ['-o', setting]),
    ...['-o', `UserKnownHostsFile=${quotedValue(plainPath(transport.knownHostsFile))}`],
    ...['-o', `HostKeyAlias=${alias(transport.hostKeyAlias)}`],
    ...(transport.jump ? ['-o', `ProxyCommand=${through(transport.jump, logFile)}`] : []),
  ];
}

/** With `ProxyJump`, ssh would use none of our settings on the way. It expands `%`, and a shell reads the rest. */
function through(jump: NonNullable<SshTransport['jump']>, logFile: string): string {
  const bracketed = jump.host.includes(':') ? `[${jump.host}]` : jump.host;
  const { user, host, port } = partsOf(`ssh://${jump.username}@${bracketed}:${jump.port}/.`);
  const words = [...sshArgs(jump, logFile), '-p', port, '-l', user];
  const fixed = words.map((word) => shellWord(word).replaceAll('%', '%%'));
  return [...fixed, "-W '[%h]:%p'", '--', shellWord(host)].join(' ');
}

/** Throws DriverError `usage` for a remote location without a transport. */
export function transportOf({ location, transport }: RepositoryTarget): SshTransport | null {
  if (!isRemote(location)) return null;
  if (transport) return transport;
  throw new DriverError('usage', 'The repository is on another host but has no connection.');
}

/** ssh expands `%` and `${…}` in file names; only the first can be escaped. */
function plainPath(path: string): string {
  if (/[\0\r\n]|\$\{/.test(path))
    throw new DriverError('usage', 'The folder of the SSH keys has a name that ssh cannot use.');
  return path.replaceAll('%', '%%');
}

const quotedValue = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function alias(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(name)) return name;
  throw new DriverError('usage', 'The host key alias is not a plain word.');
}

/**
 * Quotes one word for a POSIX shell, and for borg, which splits the same way. Without a backslash, which ssh takes for an
 * escape even between single quotes.
 */
export const shellWord = (word: string): string =>
  /^[A-Za-z0-9@%_+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
