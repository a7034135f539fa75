import { join } from 'node:path';
import { type HostKeyType, hostKeyFile, usualHostKeyTypes } from './host-keys.js';

export interface SshdOptions {
  /** False: the host has no SFTP subsystem. */
  sftp?: boolean;
  /** No shell at all; `chroot`: the account sees its home as `/` besides. */
  sftpOnly?: boolean | 'chroot';
  /** What runs instead of every command. */
  forceCommand?: string;
  /** False: keys only. */
  passwords?: boolean;
  /** What the account's shell runs first, for instance an `echo` into the protocol. */
  shellStart?: string;
  /** Megabytes of a disk at `<home>/small`. */
  smallDisk?: number;
  /** Default: ed25519 and ecdsa. */
  hostKeyTypes?: HostKeyType[];
  /** More lines of the configuration. */
  more?: string[];
}

export interface SshdPlace {
  folder: string;
  home: string;
  username: string;
  port: number;
}

/** The configuration of one server that is open to one account. */
export function sshdConfig(options: SshdOptions, { folder, home, username, port }: SshdPlace): string {
  const { sftp = true, sftpOnly = false, passwords = true, more = [] } = options;
  const keys = (options.hostKeyTypes ?? usualHostKeyTypes).map(
    (type) => `HostKey ${hostKeyFile(folder, type)}`,
  );
  const command = sftpOnly ? 'internal-sftp' : options.forceCommand;
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    ...keys,
    'PidFile none',
    'UsePAM no',
    'StrictModes yes',
    'LogLevel VERBOSE',
    'PrintMotd no',
    'MaxStartups 200',
    `AllowUsers ${username}`,
    `PasswordAuthentication ${passwords ? 'yes' : 'no'}`,
    'KbdInteractiveAuthentication no',
    `AuthorizedKeysFile ${join(home, '.ssh', 'authorized_keys')}`,
    `SetEnv "PATH=${process.env.PATH}"`,
    ...(sftp || sftpOnly ? ['Subsystem sftp internal-sftp'] : []),
    ...(sftpOnly === 'chroot' ? [`ChrootDirectory ${home}`] : []),
    ...(command === undefined ? [] : [`ForceCommand ${command}`]),
    ...more,
    '',
  ].join('\n');
}

/** The words before a command that is to see a small disk at `<home>/small`, which is gone when it ends. */
export function onSmallDisk(host: {
  options: SshdOptions;
  home: string;
  account: { uid: number; gid: number };
}): string[] {
  const { smallDisk } = host.options;
  if (smallDisk === undefined) return [];
  const { uid, gid } = host.account;
  const disk = `-o size=${smallDisk}m,uid=${uid},gid=${gid},mode=755 tmpfs '${join(host.home, 'small')}'`;
  return ['unshare', '--mount', 'sh', '-c', `mount -t tmpfs ${disk} && exec "$@"`, 'sh'];
}
