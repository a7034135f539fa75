import type { SessionView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { invalid } from '../kernel/errors.js';
import { tokens } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findOwnUser, tokenEnded } from './find-user.js';
import { issueSession, type SessionSettings, sessionView } from './sessions.js';

/** A new session in exchange for the caller's. API tokens have the life that they were made with. */
export const refreshSession =
  (needs: Pick<Dependencies, 'storage' | 'clock'> & SessionSettings) =>
  async (caller: Caller): Promise<SessionView> => {
    const { storage, settings } = needs;
    const user = await findOwnUser(storage, caller);
    const [own] = await storage.find(tokens, { where: { id: caller.tokenId }, limit: 1 });
    if (own?.kind === 'api')
      throw invalid('API tokens are not refreshed: make a new one when this one expires.');

    const session = await issueSession(needs, user.id);
    // Whoever revoked the old token meanwhile (logout, change of password) meant this session too.
    if ((await storage.remove(tokens, { id: caller.tokenId })) === 0) {
      await storage.remove(tokens, { id: session.row.id });
      throw tokenEnded();
    }
    return sessionView(session, { settings, mustChangePassword: user.must_change_password });
  };
