import type { SourceHost } from '@holdfast/plugin-api/driver';
import type { ProgramHost } from '@holdfast/plugin-api/source';
import { isRemoteHostError } from '../../foundation/kernel/index.js';
import type { RemoteAccount } from '../../foundation/ports/remote-host.js';
import { speedLimit } from './bandwidth.js';
import { asDriverError } from './connected-driver.js';
import { jumpsTo, openWithKey } from './connection-access.js';
import type { SshNeeds } from './needs.js';
import { recordConnectionUse } from './record-connection-use.js';
import type { SshConnectionRow } from './tables.js';
import { type ConnectionNeeds, pinnedConnection } from './test-connection.js';

export type HostNeeds = ConnectionNeeds & Pick<SshNeeds, 'remoteHost'>;

/**
 * The host of a connection, for use by the driver. Each use updates the status of the connection. `sudo`: commands run
 * as root there. Rejects with DriverError.
 */
export async function sourceHost(
  needs: HostNeeds,
  connection: SshConnectionRow,
  { remote_path = null, sudo = false }: { remote_path?: string | null; sudo?: boolean },
): Promise<SourceHost & ProgramHost> {
  const withStatus = statusRecorder(needs, connection);
  const { account, keyId } = await withStatus(async () => {
    const pinned = await pinnedConnection(needs, connection);
    const opened = await openWithKey(needs, pinned);
    const speed = speedLimit(needs, [pinned, ...(await jumpsTo(needs.storage, pinned))]);
    return { ...opened, account: { ...opened.account, speed } };
  });
  return {
    name: `${connection.username}@${connection.host}`,
    toolPath: remote_path,
    run: (command, { signal }) =>
      withStatus(() =>
        run(needs, { account: { ...account, sudo }, keyId, connection, command, signal, withStatus }),
      ),
    // Whether something listens there says nothing about the connection.
    connect: (address, { signal }) =>
      needs.remoteHost.connect(account, address, { signal }).catch((error: unknown) => {
        throw asDriverError(error);
      }),
  };
}

type WithStatus = <T>(work: () => Promise<T>) => Promise<T>;

const statusRecorder =
  (needs: HostNeeds, { id }: SshConnectionRow): WithStatus =>
  async (work) => {
    try {
      return await work();
    } catch (error) {
      if (isRemoteHostError(error)) await recordConnectionUse(needs, id, { at: needs.clock.now(), error });
      throw asDriverError(error);
    }
  };

interface Run {
  account: RemoteAccount;
  keyId: number;
  connection: SshConnectionRow;
  command: readonly string[];
  signal: AbortSignal | undefined;
  withStatus: WithStatus;
}

async function run(needs: HostNeeds, run: Run) {
  const process = await needs.remoteHost.run(run.account, run.command, { signal: run.signal });
  const use = { at: needs.clock.now(), error: null, keyId: run.keyId };
  await recordConnectionUse(needs, run.connection.id, use);
  return { ...process, exit: run.withStatus(() => process.exit) };
}
