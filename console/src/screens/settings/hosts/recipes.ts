import { quoted } from '../../../ui/shell.rules.js';

export interface Address {
  host: string;
  username: string;
  port: number;
}

export const recipeNames = ['any', 'hetzner', 'borgbase', 'rsyncNet', 'synology'] as const;
export type RecipeName = (typeof recipeNames)[number];

/** Values that a storage service requires, and its command to add the key, if any. */
export interface Recipe {
  /** How its addresses look. */
  example: Address;
  /** @param line - the line of the key, without quotes */
  command?(line: string, address: Address): string;
}

const ssh = ({ username, host, port }: Address) =>
  `ssh ${port === 22 ? '' : `-p ${port} `}${username}@${host}`;

export const recipes: Record<RecipeName, Recipe> = {
  any: {
    example: { host: 'nas.example.org', username: 'backup', port: 22 },
    command: (line) =>
      `mkdir -p -m 700 ~/.ssh && echo ${quoted(line)} >> ~/.ssh/authorized_keys && chmod 600 ~/.ssh/authorized_keys`,
  },
  hetzner: {
    example: { host: 'u123456.your-storagebox.de', username: 'u123456', port: 23 },
    command: (line, address) => `echo ${quoted(line)} | ${ssh(address)} install-ssh-key`,
  },
  borgbase: { example: { host: 'x1y2z3.repo.borgbase.com', username: 'x1y2z3', port: 22 } },
  rsyncNet: {
    example: { host: 'de1234.rsync.net', username: 'de1234', port: 22 },
    command: (line, address) =>
      `echo ${quoted(line)} | ${ssh(address)} 'dd of=.ssh/authorized_keys oflag=append conv=notrunc'`,
  },
  synology: {
    example: { host: 'nas.local', username: 'backup', port: 22 },
    command: (line) =>
      `mkdir -p -m 700 ~/.ssh && echo ${quoted(line)} >> ~/.ssh/authorized_keys && chmod 600 ~/.ssh/authorized_keys && chmod go-w ~`,
  },
};

/** A line of `authorized_keys` that allows nothing but repositories below a path. */
export function restrictedLine(publicKey: string, path: string, appendOnly: boolean): string {
  const serve = [
    'borg serve',
    ...(appendOnly ? ['--append-only'] : []),
    `--restrict-to-path ${quoted(path)}`,
  ];
  return `command="${serve.join(' ').replaceAll('"', '\\"')}",restrict ${publicKey}`;
}
