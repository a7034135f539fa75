import type { Bandwidth, ConnectionChanges, ConnectionView } from '@holdfast/contracts';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import { type JobRow, jobs } from '../../engine/jobs/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import { conflict, errorColumns, inTransaction, say } from '../../foundation/kernel/index.js';
import { type RepositoryRow, repositories } from '../repositories/tables.js';
import { changeWithin, noteConnection } from './change-connections.js';
import { findConnection, jumpsTo } from './connection-access.js';
import type { SshNeeds } from './needs.js';
import { connectionView } from './ssh-view.js';
import { findSystemKey } from './system-key.js';
import { type SshConnectionRow, sshConnections } from './tables.js';

/** Called when a connection changes, in the transaction of the change. */
export interface ConnectionUsers {
  moved(session: StorageSession, after: SshConnectionRow): Promise<void>;
  removed(session: StorageSession, id: number): Promise<void>;
}

/**
 * Updates a connection. The pinned host key always stays. Throws AppError `not_found`; `conflict` for a taken address;
 * like `jumpsTo` for the way to it.
 */
export async function updateConnection(
  { storage, clock, events }: SshNeeds,
  users: ConnectionUsers,
  id: number,
  changes: ConnectionChanges,
) {
  const write = () =>
    inTransaction(storage, async (session) => {
      const before = await findConnection(session, id);
      const after: SshConnectionRow = { ...before, ...patchOf(before, changes), updated_at: clock.now() };
      await jumpsTo(session, after);
      const { id: _, ...row } = after;
      await session.update(sshConnections, { id }, row);
      await noteConnection(session, events, { before, after });
      if (moved(before, after)) await users.moved(session, after);
      return viewConnection(session, id);
    });
  const connection = await reportTakenAddress(write);
  events.nudge();
  const message = `The connection to ${connection.username}@${connection.host} was updated.`;
  return { success: true as const, message, connection };
}

function patchOf(before: SshConnectionRow, changes: ConnectionChanges): Partial<SshConnectionRow> {
  const {
    host = before.host,
    port = before.port,
    username = before.username,
    trusted = before.trusted,
    sudo = before.sudo,
  } = changes;
  const after = { ...given(changes), host, port, username, trusted, sudo };
  const isOther = moved(before, after) || sudo !== before.sudo || !sameJump(before, after);
  return isOther ? { ...after, status: 'unknown', allows: null, ...errorColumns(null) } : after;
}

const sameJump = (before: SshConnectionRow, { jump_connection_id: jump }: Partial<SshConnectionRow>) =>
  jump === undefined || jump === before.jump_connection_id;

type Addressed = Pick<SshConnectionRow, 'host' | 'port' | 'username'>;
const moved = (a: Addressed, b: Addressed) =>
  a.host !== b.host || a.port !== b.port || a.username !== b.username;

/**
 * Repositories stay but lose the connection. Those that pull their data over it keep its id: without it, the
 * next backup would save folders of this machine. Throws AppError `not_found`, or `conflict` while a job
 * needs it, other connections go through it, or repositories use it and `confirm` does not name it.
 */
export async function deleteConnection(
  { storage, sshFiles, log, events }: SshNeeds,
  users: ConnectionUsers,
  id: number,
  confirm?: string,
) {
  const { host, username } = await inTransaction(storage, async (session) => {
    const row = await findConnection(session, id);
    await refuseWhileNeeded(session, id);
    await refuseJump(session, id);
    await refuseInUse(session, row, confirm);
    await users.removed(session, id);
    await session.remove(sshConnections, { id });
    await noteConnection(session, events, { before: row, after: null });
    return row;
  });
  events.nudge();
  await sshFiles
    .removeHostKey(id)
    .catch((error: unknown) => log.warn('the pinned host key of a deleted connection remains', { error }));
  const message = `The connection to ${username}@${host} was removed; repositories and data on the host were not changed.`;
  return { success: true as const, message };
}

async function refuseJump(session: StorageSession, id: number) {
  const through = await session.find(sshConnections, { where: { jump_connection_id: id } });
  if (through.length === 0) return;
  const names = through.map(({ username, host }) => `${username}@${host}`);
  throw conflict(
    say`connection_is_jump: Other connections go through this one: ${{ names }}. Change their jump_connection_id first.`,
  );
}

async function refuseInUse(
  session: StorageSession,
  { id, host, username }: SshConnectionRow,
  confirm?: string,
) {
  const used = (await session.find(repositories)).filter((row) => usedBy(row).includes(id));
  const name = `${username}@${host}`;
  if (used.length === 0 || confirm === name) return;
  const names = used.map((row) => row.name);
  throw conflict(
    say`connection_in_use: Repositories use this connection: ${{ names }}. To remove it anyway, confirm with ${{ name }}.`,
  );
}

/** Throws AppError `not_found`. */
export async function getConnection({ storage }: Pick<SshNeeds, 'storage'>, id: number) {
  return { success: true as const, connection: await viewConnection(storage, id) };
}

/** In order of creation. */
export async function listConnections({ storage }: SshNeeds) {
  const key = await findSystemKey(storage);
  const rows = await storage.find(sshConnections);
  return { success: true as const, connections: rows.map((row) => connectionView(row, key)) };
}

/** The connection as it is stored now. Throws AppError `not_found`. */
export const viewConnection = async (session: StorageSession, id: number): Promise<ConnectionView> =>
  connectionView(await findConnection(session, id), await findSystemKey(session));

export interface Address {
  host: string;
  port: number;
  username: string;
}

/** Settings that a request may give with an address; absent ones stay unchanged. */
interface ConnectionUsage {
  use_sftp_mode?: boolean | undefined;
  default_path?: string | undefined;
  ssh_path_prefix?: string | null | undefined;
  mount_point?: string | null | undefined;
  name?: string | null | undefined;
  tags?: string[] | undefined;
  jump_connection_id?: number | null | undefined;
  bandwidth?: Bandwidth | null | undefined;
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
  /** False: an existing connection keeps its settings. */
  mayChange?: boolean;
  now: number;
  patch?: Partial<SshConnectionRow>;
}

/** Updates the connection of this address with these settings, or creates it, in a transaction. Throws like `jumpsTo`. */
export async function saveConnection(
  session: StorageSession,
  events: Pick<EventBus, 'record'>,
  { address, usage, mayChange = true, now, patch }: ConnectionWrite,
): Promise<SshConnectionRow> {
  const existing = await findByAddress(session, address);
  const changes = { ...(mayChange || !existing ? given(usage) : {}), ...patch, updated_at: now };
  const { jump_connection_id = null } = changes;
  await jumpsTo(session, { id: existing?.id ?? 0, jump_connection_id });
  if (existing) {
    await changeWithin(session, events, { where: { id: existing.id }, patch: changes });
    return { ...existing, ...changes };
  }
  const { host, port, username } = address;
  const made = await session.insert(sshConnections, {
    host,
    port,
    username,
    status: 'unknown',
    created_at: now,
    ...changes,
  });
  await noteConnection(session, events, { before: null, after: made });
  return made;
}

/** The settings that were given. */
const given = (usage: ConnectionUsage): Partial<SshConnectionRow> => {
  const { use_sftp_mode, default_path, ssh_path_prefix, mount_point, jump_connection_id, ...rest } = usage;
  const { bandwidth, name, tags } = rest;
  const all = {
    use_sftp_mode,
    default_path,
    ssh_path_prefix,
    jump_connection_id,
    bandwidth,
    name,
    tags,
    mount_point: mount_point || nullIfEmpty(mount_point),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
};

const nullIfEmpty = (text: string | null | undefined) => (text === '' ? null : text);

/** Writes a connection. Throws AppError `conflict` when its address is taken. */
export async function reportTakenAddress<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw conflict(
      say`connection_address_taken: Another connection already has this host, port and user name: use that one.`,
      { cause: error },
    );
  }
}

/**
 * Throws AppError `conflict` while a pending or running job needs this connection, or any without an id, for
 * its repository or its restore. Call it in the transaction that relies on it.
 */
export async function refuseWhileNeeded(session: StorageSession, connectionId?: number): Promise<void> {
  const unfinished = await session.find(jobs, { where: { status: { in: ['pending', 'running'] } } });
  for (const job of unfinished) {
    if (!(await needs(session, job, connectionId))) continue;
    const { id, status, repository_name: repository } = job;
    const kind = job.kind.replace('_', ' ');
    throw conflict(
      say`connection_needed_by_job: The ${{ kind }} job ${{ id }} of repository ${{ repository }} needs it and is ${{ status }}: wait until it ends, or cancel it first.`,
    );
  }
}

async function needs(session: StorageSession, job: JobRow, connectionId?: number): Promise<boolean> {
  // Set for a restore onto another host.
  const { destinationConnectionId: destination } = job.parameters;
  if (typeof destination === 'number' && (connectionId === undefined || destination === connectionId)) {
    return true;
  }
  if (job.repository_id === null) return false;
  const [repository] = await session.find(repositories, { where: { id: job.repository_id }, limit: 1 });
  return (
    repository !== undefined &&
    usedBy(repository).some((id) => connectionId === undefined || id === connectionId)
  );
}

const usedBy = ({ connection_id, source_connection_id }: RepositoryRow): number[] =>
  [connection_id, source_connection_id].filter((id) => id !== null);
