import type { RemoteAccount, RemoteOptions } from '@holdfast/core/server';
import pTimeout from 'p-timeout';
import { type Connection, openConnection } from './connection.js';
import { silent } from './failures.js';
import { callMs } from './limits.js';

/** Opens a connection, runs the work with a timeout, and closes it. Rejects with RemoteHostError. */
export async function withinConnection<T>(
  account: RemoteAccount,
  { signal }: RemoteOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(account, { signal });
  const done = Promise.race([work(connection), connection.lost]);
  try {
    return await pTimeout(done, { milliseconds: callMs, message: silent(account, 'work on the host') });
  } finally {
    connection.close();
  }
}
