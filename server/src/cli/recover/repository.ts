import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { hostKeyAlias, type RemoteAccount } from '@holdfast/core/server';
import type { RepositoryTarget, SshTransport } from '@holdfast/plugin-api/driver';
import { makeSshFiles } from '../../adapters/ssh-key-files.js';
import { ssh2RemoteHost } from '../../adapters/ssh2-remote-host/index.js';
import { CommandError } from '../exit.js';

export interface Wanted {
  repository: string;
  sshKey?: string | undefined;
  hostKey?: string | undefined;
  remotePath?: string | undefined;
  jump?: string[] | undefined;
}

interface Remote {
  username: string;
  host: string;
  port: number;
  path: string;
}

const form = /^ssh:\/\/([^@/\s]+)@(\[[0-9a-fA-F:.]+\]|[^:/\s]+)(?::(\d{1,5}))?(\/.+)$/;

/**
 * The location of the repository in the format of the driver. Throws CommandError for anything except a path
 * or an SSH address.
 */
export function locationOf(text: string): { location: string; remote: Remote | null } {
  const given = text.trim();
  if (!given.includes('://') && !/^[^/]+@[^/]+:/.test(given))
    return { location: resolve(given), remote: null };
  const [, username = '', name = '', port = '22', path = ''] = form.exec(given) ?? [];
  if (path === '')
    throw new CommandError('--repository must be a path, or an address such as ssh://user@host:22/path.');
  const remote = { username, host: name.replace(/^\[|\]$/g, ''), port: Number(port), path };
  return { location: `ssh://${username}@${name}:${port}${path}`, remote };
}

/**
 * The access of the driver to the repository, with its files in the folder. Throws CommandError for missing
 * settings.
 */
export async function targetOf(
  { repository, sshKey, hostKey, remotePath, jump }: Wanted,
  { passphrase, folder }: { passphrase: string; folder: string },
): Promise<RepositoryTarget> {
  const { location, remote } = locationOf(repository);
  const transport = remote && (await transportTo(remote, { sshKey, hostKey, jump, folder }));
  return {
    uid: 'recovery',
    location,
    passphrase,
    keyFile: null,
    remoteToolPath: remotePath ?? null,
    ...(transport && { transport, connectionId: transport.connectionId }),
  };
}

type Way = Pick<Wanted, 'sshKey' | 'hostKey' | 'jump'> & { folder: string };

async function transportTo(
  remote: Remote,
  { sshKey, hostKey, jump = [], folder }: Way,
): Promise<SshTransport> {
  const { keyFile, privateKey } = await privateKeyIn(sshKey);
  const files = makeSshFiles({ sshDirectory: folder, dataDirectory: folder });
  const way = [...jump.map(hopOf).reverse(), { ...remote, fingerprint: hostKey }];
  let before: { account: RemoteAccount; transport: SshTransport & Hop } | undefined;
  for (const [at, { username, host, port, fingerprint: expectedFingerprint }] of way.entries()) {
    const address = { host, port, username, authentication: { privateKey }, jump: before?.account };
    const { hostKey, fingerprint } = await ssh2RemoteHost.test({
      ...address,
      hostKey: null,
      expectedFingerprint,
    });
    if (expectedFingerprint === undefined) {
      throw new CommandError(
        `${host} presents the host key ${fingerprint}. Compare it with the recovery sheet, or ask the administrator ` +
          `of that host. If it is the same, run the command again with --host-key ${fingerprint}.`,
      );
    }
    const connectionId = at + 1;
    const knownHostsFile = await files.writeHostKey({ connectionId, hostKey });
    const own = {
      connectionId,
      keyFile,
      knownHostsFile,
      hostKeyAlias: hostKeyAlias(connectionId),
      fingerprint,
    };
    before = {
      account: { ...address, hostKey },
      transport: { username, host, port, ...own, ...(before && { jump: before.transport }) },
    };
  }
  if (!before) throw new Error('There is always one host.');
  return before.transport;
}

type Hop = Pick<Remote, 'username' | 'host' | 'port'>;

function hopOf(text: string): Hop & { fingerprint: string | undefined } {
  const [address = '', fingerprint] = text.split(',');
  const [, username = '', name = '', port = '22'] = form.exec(`ssh://${address}/.`) ?? [];
  if (username === '' || !fingerprint)
    throw new CommandError(
      '--jump must be an address with the fingerprint of its host key: user@host:22,SHA256:…',
    );
  return { username, host: name.replace(/^\[|\]$/g, ''), port: Number(port), fingerprint };
}

async function privateKeyIn(given: string | undefined) {
  const usual = ['id_ed25519', 'id_ecdsa', 'id_rsa'].map((name) => join(homedir(), '.ssh', name));
  for (const path of given === undefined ? usual : [resolve(given)]) {
    const privateKey = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (given === undefined && error.code === 'ENOENT') return null;
      throw new CommandError(`The SSH key ${path} can't be read (${error.code}).`);
    });
    if (privateKey !== null) return { keyFile: path, privateKey };
  }
  throw new CommandError('Name the private key that opens the host with --ssh-key.');
}
