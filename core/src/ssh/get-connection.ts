import type { Dependencies } from '../dependencies.js';
import { viewConnection } from './view-connection.js';

/** AppError `not_found`. */
export const getConnection =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (id: number) => ({ success: true as const, connection: await viewConnection(storage, id) });
