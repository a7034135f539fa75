import { Readable } from 'node:stream';
import {
  type BackupDriver,
  DriverError,
  isDriverError,
  type RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import {
  conflict,
  isAppError,
  isRemoteHostError,
  type Message,
  messageOf,
  type RemoteHostError,
  say,
  shownMessage,
} from '../../foundation/kernel/index.js';
import { findConnection, linkToKey } from './connection-access.js';
import type { SshNeeds } from './needs.js';
import { recordConnectionUse } from './record-connection-use.js';
import { isRemoteLocation } from './remote-location.rules.js';
import { storageView } from './ssh-view.js';
import { type SshConnectionRow, sshConnections } from './tables.js';
import { type ConnectionNeeds, checkConnection } from './test-connection.js';
import { openTransport, usingConnection } from './transport.js';

type Needs = ConnectionNeeds & Pick<SshNeeds, 'sshFiles' | 'log'>;
type Operation = (target: RepositoryTarget, ...rest: unknown[]) => unknown;

/** These operations concern only this machine. */
const local: ReadonlySet<PropertyKey> = new Set(['lockHolder', 'forget']);

/**
 * Extends a driver to repositories on other hosts: each operation gets the current key and pinned host key of
 * the connection, and its result updates the status of the connection.
 */
export function connectedDriver<D extends BackupDriver>(driver: D, needs: Needs): D {
  return new Proxy(driver, {
    get(inner, name) {
      const member = Reflect.get(inner, name) as unknown;
      if (typeof member !== 'function') return member;
      const operation = member.bind(inner) as Operation;
      return (...args: Parameters<Operation>) =>
        isRemote(args[0]) && !local.has(name)
          ? callRemote(needs, { name, operation, args })
          : operation(...args);
    },
  });
}

const isRemote = (first: unknown): first is RepositoryTarget =>
  typeof first === 'object' &&
  first !== null &&
  isRemoteLocation(String((first as RepositoryTarget).location));

interface RemoteCall {
  name: PropertyKey;
  operation: Operation;
  args: Parameters<Operation>;
}

function callRemote(needs: Needs, call: RemoteCall): unknown {
  if (call.name === 'listEntries') return streamRemote(needs, call);
  if (call.name === 'readFile' || call.name === 'exportTar') {
    return Readable.from(streamRemote(needs, call), { objectMode: false });
  }
  return using(needs, call.args, (args) => call.operation(...args) as Promise<unknown>);
}

/** Streams open when they are first read. The use is recorded as a success when they were read to the end. */
async function* streamRemote(needs: Needs, { operation, args }: RemoteCall): AsyncGenerator<unknown> {
  const { connection, connected } = await open(needs, args);
  try {
    yield* operation(...connected) as AsyncIterable<unknown>;
  } catch (error) {
    throw await recordFailure(needs, connection, error);
  }
  await recordSuccess(needs, connection);
}

async function using<T>(
  needs: Needs,
  args: Parameters<Operation>,
  work: (args: Parameters<Operation>) => Promise<T>,
): Promise<T> {
  const { connection, connected } = await open(needs, args);
  try {
    const result = await work(connected);
    await recordSuccess(needs, connection);
    return result;
  } catch (error) {
    throw await recordFailure(needs, connection, error);
  }
}

interface Opened {
  connection: SshConnectionRow;
  connected: Parameters<Operation>;
}

async function open(needs: Needs, [target, ...rest]: Parameters<Operation>): Promise<Opened> {
  try {
    const connection = await findConnection(needs.storage, idOf(target));
    const transport = await openTransport(needs, connection);
    return { connection, connected: [{ ...target, transport }, ...rest] };
  } catch (error) {
    throw asDriverError(error);
  }
}

function idOf({ connectionId }: RepositoryTarget): number {
  if (typeof connectionId === 'number') return connectionId;
  throw conflict(
    say`repository_connection_removed: The repository is on another host, but its connection was removed: set its connection_id.`,
  );
}

type ToolUseNeeds = ConnectionNeeds & Pick<SshNeeds, 'log'>;

/** A status `connected` is written again only when it is older than this. */
const freshForMs = 10_000;

/** Records that the tool reached the host. Never rejects. */
async function recordSuccess(needs: ToolUseNeeds, { id }: SshConnectionRow): Promise<void> {
  const { storage, clock, log } = needs;
  try {
    const [row] = await storage.find(sshConnections, { where: { id }, limit: 1 });
    const at = clock.now();
    if (!row || (row.status === 'connected' && at - (row.last_success ?? 0) < freshForMs)) return;
    await recordConnectionUse(needs, id, { at, error: null });
  } catch (error) {
    log.warn('the use of an SSH connection could not be recorded', { connection: id, error });
  }
}

/**
 * Records what a failure of the tool means for the connection. When the connection may be the cause, it is
 * tested; a changed host key is reported with both fingerprints. Returns the error to throw; never rejects.
 */
async function recordFailure(
  needs: ToolUseNeeds,
  connection: SshConnectionRow,
  error: unknown,
): Promise<unknown> {
  if (isDriverError(error, 'cancelled')) return error;
  if (!isDriverError(error, 'connection') && !isDriverError(error, 'host_key_changed')) {
    if (isDriverError(error)) await recordSuccess(needs, connection);
    return error;
  }
  try {
    const found = await checkConnection(needs, connection);
    // ssh does not tell on which of the hosts it failed.
    const isBetter = found?.kind === 'host_key_changed' || connection.jump_connection_id !== null;
    return found && isBetter ? driverError(found) : error;
  } catch (cause) {
    needs.log.warn('a failed SSH connection could not be checked', {
      connection: connection.id,
      cause,
    });
    return error;
  }
}

/** The driver port promises to throw only DriverErrors. */
export function asDriverError(error: unknown): unknown {
  if (isRemoteHostError(error)) return driverError(error);
  return isAppError(error) ? new DriverError('connection', error.detail, { cause: error }) : error;
}

const driverError = (error: RemoteHostError): DriverError =>
  new DriverError(error.kind === 'host_key_changed' ? 'host_key_changed' : 'connection', error.message, {
    cause: error,
  });

/**
 * Asks the host for its storage usage. Without an answer the last known usage stays. Throws AppError
 * `not_found`.
 */
export async function refreshStorage(needs: ConnectionNeeds, id: number) {
  const { storage, clock, remoteHost } = needs;
  const connection = await findConnection(storage, id);
  const path = connection.default_path;
  await linkToKey(needs, id);
  try {
    const usage = await usingConnection(needs, connection, (account) =>
      remoteHost.storageUsage(account, path),
    );
    if (!usage) {
      return unavailable(
        say`usage_not_reported: The host does not report the usage of ${{ path }}: the path may be missing, or commands may be forbidden.`,
      );
    }
    const stored = { ...usage, checkedAt: clock.now() };
    await storage.update(sshConnections, { id }, { storage: stored });
    const message = say`usage_read: The usage of ${{ path }} was read.`;
    return { success: true, ...shownMessage(message), storage: storageView(stored) };
  } catch (error) {
    if (!isRemoteHostError(error)) throw error;
    return unavailable(messageOf(error));
  }
}

const unavailable = (message: Message) => ({ success: false, ...shownMessage(message), storage: null });
