import { isRemoteHostError } from '../../kernel/errors.js';
import type { SourceHost } from '../../ports/backup-driver.js';
import type { RemoteAccount } from '../../ports/remote-host.js';
import type { RepositoryRow, SshConnectionRow } from '../../schema/tables.js';
import type { Dependencies } from '../../dependencies.js';
import { type ConnectionNeeds, pinnedConnection } from '../../ssh/check-connection.js';
import { openWithKey } from '../../ssh/connection-access.js';
import { recordConnectionUse } from '../../ssh/record-connection-use.js';
import { asDriverError } from '../../ssh/tool-use.js';

export type SourceNeeds = ConnectionNeeds & Pick<Dependencies, 'remoteHost'>;

/** The host of a connection for the tool; the connection's status follows what comes of it. Rejects with DriverError. */
export async function sourceHost(
  needs: SourceNeeds,
  connection: SshConnectionRow,
  { remote_path }: Pick<RepositoryRow, 'remote_path'>,
): Promise<SourceHost> {
  const told = telling(needs, connection);
  const { account, keyId } = await told(async () =>
    openWithKey(needs, await pinnedConnection(needs, connection)),
  );
  return {
    name: `${connection.username}@${connection.host}`,
    toolPath: remote_path,
    run: (command, { signal }) =>
      told(() => run(needs, { account, keyId, connection, command, signal, told })),
  };
}

type Telling = <T>(work: () => Promise<T>) => Promise<T>;

const telling =
  ({ storage, clock }: SourceNeeds, { id }: SshConnectionRow): Telling =>
  async (work) => {
    try {
      return await work();
    } catch (error) {
      if (isRemoteHostError(error)) await recordConnectionUse(storage, id, { at: clock.now(), error });
      throw asDriverError(error);
    }
  };

interface Run {
  account: RemoteAccount;
  keyId: number;
  connection: SshConnectionRow;
  command: readonly string[];
  signal: AbortSignal | undefined;
  told: Telling;
}

async function run({ remoteHost, storage, clock }: SourceNeeds, run: Run) {
  const process = await remoteHost.run(run.account, run.command, { signal: run.signal });
  await recordConnectionUse(storage, run.connection.id, { at: clock.now(), error: null, keyId: run.keyId });
  return { ...process, exit: run.told(() => process.exit) };
}
