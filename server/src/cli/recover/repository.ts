import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { hostKeyAlias } from '@holdfast/core/server';
import type { RepositoryTarget, SshTransport } from '@holdfast/plugin-api/driver';
import { makeSshFiles } from '../../adapters/ssh-key-files.js';
import { ssh2RemoteHost } from '../../adapters/ssh2-remote-host/index.js';
import { CommandError } from '../exit.js';

export interface Wanted {
  repository: string;
  sshKey?: string | undefined;
  hostKey?: string | undefined;
  remotePath?: string | undefined;
}

interface Remote {
  username: string;
  host: string;
  port: number;
  path: string;
}

const form = /^ssh:\/\/([^@/\s]+)@(\[[0-9a-fA-F:.]+\]|[^:/\s]+)(?::(\d{1,5}))?(\/.+)$/;

/** The place of the repository as the driver reads it. CommandError for what is neither a path nor such an address. */
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

/** How the driver reaches the repository. Its own files go into the folder. CommandError says what is missing. */
export async function targetOf(
  { repository, sshKey, hostKey, remotePath }: Wanted,
  { passphrase, folder }: { passphrase: string; folder: string },
): Promise<RepositoryTarget> {
  const { location, remote } = locationOf(repository);
  const transport = remote && (await transportTo(remote, { sshKey, hostKey, folder }));
  return {
    ...{ uid: 'recovery', location, passphrase, keyFile: null },
    remoteToolPath: remotePath ?? null,
    ...(transport && { transport, connectionId: transport.connectionId }),
  };
}

const connectionId = 1;

async function transportTo(
  { username, host, port }: Remote,
  { sshKey, hostKey: expectedFingerprint, folder }: Pick<Wanted, 'sshKey' | 'hostKey'> & { folder: string },
): Promise<SshTransport> {
  const { keyFile, privateKey } = await privateKeyIn(sshKey);
  const account = {
    host,
    port,
    username,
    authentication: { privateKey },
    hostKey: null,
    expectedFingerprint,
  };
  const { hostKey, fingerprint } = await ssh2RemoteHost.test(account);
  if (expectedFingerprint === undefined) {
    throw new CommandError(
      `${host} shows the host key ${fingerprint}. Compare it with the recovery sheet, or ask the administrator of that ` +
        `host. If it is the same, run the command again with --host-key ${fingerprint}.`,
    );
  }
  const files = makeSshFiles({ sshDirectory: folder, dataDirectory: folder });
  const knownHostsFile = await files.writeHostKey({ connectionId, hostKey });
  return { connectionId, keyFile, knownHostsFile, hostKeyAlias: hostKeyAlias(connectionId), fingerprint };
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
