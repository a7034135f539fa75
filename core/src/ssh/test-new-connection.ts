import type { ConnectionToTest } from '@holdfast/contracts';
import { inTransaction } from '../kernel/in-transaction.js';
import type { ConnectionNeeds } from './check-connection.js';
import { keepConnection, sayingAddressIsTaken } from './connection-row.js';
import { findKey } from './system-key.js';
import { runTest } from './test-connection.js';

/** Connects to a host that knows the key already; the connection stays whatever comes of it. AppError `not_found`. */
export const testNewConnection =
  (needs: ConnectionNeeds) =>
  async (keyId: number, { host_key_fingerprint, ...address }: ConnectionToTest) => {
    const { storage, clock } = needs;
    await findKey(storage, keyId);
    const keep = () =>
      inTransaction(storage, (session) => keepConnection(session, { address, usage: {}, now: clock.now() }));
    const { id } = await sayingAddressIsTaken(keep);
    return runTest(needs, id, { expectedFingerprint: host_key_fingerprint });
  };
