import type { RemoteHostError } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { viewConnection } from './view-connection.js';

/** The answer of something that was tried on a host: whether it worked, and the connection as it is now. */
export const tried = async (
  session: StorageSession,
  { id, error, done }: { id: number; error: RemoteHostError | null; done: string },
) => ({
  success: error === null,
  message: error?.message ?? done,
  error: error?.message ?? null,
  connection: await viewConnection(session, id),
});
