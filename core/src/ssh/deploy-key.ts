import type { KeyDeploymentRequest } from '@holdfast/contracts';
import { inTransaction } from '../kernel/in-transaction.js';
import { keepConnection, sayingAddressIsTaken } from './connection-row.js';
import { findKey, usableKey } from './system-key.js';
import { tried } from './tried.js';
import { type DeploymentNeeds, tryDeployment } from './try-deployment.js';

/**
 * Copies the key to a host. The connection stays whatever comes of it, and its status tells. AppError `not_found`
 * for another key than the system key.
 */
export const deployKey = (needs: DeploymentNeeds) => async (keyId: number, input: KeyDeploymentRequest) => {
  const { storage, clock } = needs;
  await findKey(storage, keyId);
  const key = await usableKey(storage);
  const keep = () =>
    inTransaction(storage, (session) =>
      keepConnection(session, {
        ...{ address: input, usage: input, now: clock.now() },
        patch: { ssh_key_id: key.id },
      }),
    );
  const connection = await sayingAddressIsTaken(keep);
  const error = await tryDeployment(needs, {
    ...{ connection, key, password: input.password },
    ...{ expectedFingerprint: input.host_key_fingerprint },
    restrict: input.restrict,
  });
  const done = `The key opens ${input.username}@${input.host}.`;
  return tried(storage, { id: connection.id, error, done });
};
