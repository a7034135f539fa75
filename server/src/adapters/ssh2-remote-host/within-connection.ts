import type { RemoteAccount, RemoteOptions } from '@holdfast/core/server';
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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(silent(account, 'work on the host')), callMs);
  });
  try {
    return await Promise.race([work(connection), connection.lost, late]);
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}
