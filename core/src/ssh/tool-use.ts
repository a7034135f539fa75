import {
  DriverError,
  isAppError,
  isDriverError,
  isRemoteHostError,
  type RemoteHostError,
} from '../kernel/errors.js';
import { type SshConnectionRow, sshConnections } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { type ConnectionNeeds, checkConnection } from './check-connection.js';
import { recordConnectionUse } from './record-connection-use.js';

type Needs = ConnectionNeeds & Pick<Dependencies, 'log'>;

/** A status that says so already is written again only when it is this old. */
const freshForMs = 10_000;

/** The tool reached the host. Never rejects. */
export async function recordSuccess({ storage, clock, log }: Needs, { id }: SshConnectionRow): Promise<void> {
  try {
    const [row] = await storage.find(sshConnections, { where: { id }, limit: 1 });
    const at = clock.now();
    if (!row || (row.status === 'connected' && at - (row.last_success ?? 0) < freshForMs)) return;
    await recordConnectionUse(storage, id, { at, error: null });
  } catch (error) {
    log.warn('the use of an SSH connection could not be recorded', { connection: id, error });
  }
}

/**
 * What a failure of the tool says of the connection is recorded; one that may be the connection's is looked into,
 * and a changed host key told with both fingerprints. Returns the error to throw; never rejects.
 */
export async function judged(needs: Needs, connection: SshConnectionRow, error: unknown): Promise<unknown> {
  if (isDriverError(error, 'cancelled')) return error;
  if (!isDriverError(error, 'connection') && !isDriverError(error, 'host_key_changed')) {
    if (isDriverError(error)) await recordSuccess(needs, connection);
    return error;
  }
  try {
    const found = await checkConnection(needs, connection);
    return found?.kind === 'host_key_changed' ? driverError(found) : error;
  } catch (cause) {
    needs.log.warn('an SSH connection that failed could not be checked', {
      connection: connection.id,
      cause,
    });
    return error;
  }
}

/** The driver's port promises DriverErrors alone. */
export function asDriverError(error: unknown): unknown {
  if (isRemoteHostError(error)) return driverError(error);
  return isAppError(error) ? new DriverError('connection', error.detail, { cause: error }) : error;
}

const driverError = (error: RemoteHostError): DriverError =>
  new DriverError(error.kind === 'host_key_changed' ? 'host_key_changed' : 'connection', error.message, {
    cause: error,
  });
