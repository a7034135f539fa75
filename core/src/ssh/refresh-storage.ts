import { isRemoteHostError } from '../kernel/errors.js';
import { sshConnections } from '../schema/tables.js';
import { storageView } from './ssh-view.js';
import type { ConnectionNeeds } from './check-connection.js';
import { findConnection, linkToKey } from './connection-access.js';
import { usingConnection } from './using-connection.js';

/** Asks the host for the usage of its storage; what was known stays when it does not tell. AppError `not_found`. */
export const refreshStorage = (needs: ConnectionNeeds) => async (id: number) => {
  const { storage, clock, remoteHost } = needs;
  const connection = await findConnection(storage, id);
  const path = connection.default_path;
  await linkToKey(storage, id);
  try {
    const usage = await usingConnection(needs, connection, (account) =>
      remoteHost.storageUsage(account, path),
    );
    if (!usage) {
      return unavailable(
        `The host does not tell the usage of ${path}: it may lack the path or forbid commands.`,
      );
    }
    const stored = { ...usage, checkedAt: clock.now() };
    await storage.update(sshConnections, { id }, { storage: stored });
    return { success: true, message: `The usage of ${path} was read.`, storage: storageView(stored) };
  } catch (error) {
    if (!isRemoteHostError(error)) throw error;
    return unavailable(error.message);
  }
};

const unavailable = (message: string) => ({ success: false, message, storage: null });
