import { hostKeyFingerprint } from './ssh-fingerprint.rules.js';
import { conflict } from '../kernel/errors.js';
import { sshConnections } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { type ConnectionNeeds, checkConnection } from './check-connection.js';
import { findConnection } from './connection-access.js';
import { findSystemKey } from './system-key.js';
import { viewConnection } from './view-connection.js';

/**
 * Pins the key that the host showed last, when it has this fingerprint, and tries it at once. AppError
 * `not_found`, or `conflict` when it is not that key.
 */
export const acceptHostKey =
  (needs: ConnectionNeeds & Pick<Dependencies, 'sshFiles'>) => async (id: number, fingerprint: string) => {
    const { storage, sshFiles } = needs;
    const { offered_host_key: offered } = await findConnection(storage, id);
    if (offered === null) {
      throw conflict('The host showed no other key than the pinned one: test the connection first.');
    }
    const shown = hostKeyFingerprint(offered);
    if (shown !== fingerprint) {
      throw conflict(
        `The host showed the key ${shown} last, not ${fingerprint}: compare it on the host itself.`,
      );
    }
    const patch = {
      host_key: offered,
      offered_host_key: null,
      status: 'unknown',
      error_message: null,
    } as const;
    const matched = await storage.update(sshConnections, { id, offered_host_key: offered }, patch);
    if (matched === 0)
      throw conflict('The host showed yet another key meanwhile: look at the connection again.');
    await sshFiles.removeHostKey(id);
    const key = await findSystemKey(storage);
    if (key?.is_active) await checkConnection(needs, await findConnection(storage, id));
    const connection = await viewConnection(storage, id);
    return { success: true as const, message: `The host key ${fingerprint} is pinned now.`, connection };
  };
