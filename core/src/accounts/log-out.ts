import type { Caller } from '../kernel/caller.rules.js';
import { tokens } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { done } from './done.js';

/** Revokes the token of this request; the other sessions of the user stay. */
export const logOut =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (caller: Caller) => {
    await storage.remove(tokens, { id: caller.tokenId });
    return done('Logged out.');
  };
