import type { KeyRedeployment } from '@holdfast/contracts';
import { findConnection } from './connection-access.js';
import { usableKey } from './system-key.js';
import { tried } from './tried.js';
import { type DeploymentNeeds, tryDeployment } from './try-deployment.js';

/** Copies the present system key to the host of a connection. AppError `not_found` for connection or key. */
export const redeployKey =
  (needs: DeploymentNeeds) =>
  async (id: number, { password, restrict }: KeyRedeployment) => {
    const { storage } = needs;
    const connection = await findConnection(storage, id);
    const key = await usableKey(storage);
    const error = await tryDeployment(needs, { connection, key, password, restrict });
    const done = `The key opens ${connection.username}@${connection.host} again.`;
    return tried(storage, { id, error, done });
  };
