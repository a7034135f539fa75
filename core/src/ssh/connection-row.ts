import { conflict, isStoreError } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { type SshConnectionRow, sshConnections } from '../schema/tables.js';

export interface Address {
  host: string;
  port: number;
  username: string;
}

/** Settings that a request may give with an address; absent ones stay as they are. */
export interface ConnectionUsage {
  use_sftp_mode?: boolean | undefined;
  default_path?: string | undefined;
  ssh_path_prefix?: string | null | undefined;
  mount_point?: string | null | undefined;
}

export const findByAddress = async (
  session: StorageSession,
  { host, port, username }: Address,
): Promise<SshConnectionRow | null> => {
  const [row] = await session.find(sshConnections, { where: { host, port, username }, limit: 1 });
  return row ?? null;
};

export interface ConnectionWrite {
  address: Address;
  usage: ConnectionUsage;
  now: number;
  patch?: Partial<SshConnectionRow>;
}

/** The connection of this address with these settings: the one that is there, or a new one. For a transaction. */
export async function keepConnection(
  session: StorageSession,
  { address, usage, now, patch }: ConnectionWrite,
): Promise<SshConnectionRow> {
  const changes = { ...given(usage), ...patch, updated_at: now };
  const existing = await findByAddress(session, address);
  if (existing) {
    await session.update(sshConnections, { id: existing.id }, changes);
    return { ...existing, ...changes };
  }
  const { host, port, username } = address;
  return session.insert(sshConnections, {
    ...{ host, port, username, status: 'unknown', created_at: now },
    ...changes,
  });
}

/** What of the settings was given. */
export const given = (usage: ConnectionUsage): Partial<SshConnectionRow> => {
  const { use_sftp_mode, default_path, ssh_path_prefix, mount_point } = usage;
  const all = {
    use_sftp_mode,
    default_path,
    ssh_path_prefix,
    mount_point: mount_point || nullIfEmpty(mount_point),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
};

const nullIfEmpty = (text: string | null | undefined) => (text === '' ? null : text);

/** Runs a write of a connection; a taken address becomes AppError `conflict`. */
export async function sayingAddressIsTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw conflict('Another connection has this host, port and user name: use that one.', { cause: error });
  }
}
