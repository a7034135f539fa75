import type { ConnectionView } from '@holdfast/contracts';
import type { StorageSession } from '../ports/storage.js';
import { connectionView } from './ssh-view.js';
import { findConnection } from './connection-access.js';
import { findSystemKey } from './system-key.js';

/** The connection as it is stored now. AppError `not_found`. */
export const viewConnection = async (session: StorageSession, id: number): Promise<ConnectionView> =>
  connectionView(await findConnection(session, id), await findSystemKey(session));
