import type { Caller } from '../kernel/caller.rules.js';
import { notFound } from '../kernel/errors.js';
import { tokens } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { done } from './done.js';

/** Revokes one of the caller's API tokens; another user's is as unknown as one that never was. */
export const deleteToken =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (caller: Caller, id: number) => {
    const removed = await storage.remove(tokens, { id, user_id: caller.userId, kind: 'api' });
    if (removed === 0) throw notFound(`You have no API token ${id}: see GET /api/auth/tokens.`);
    return done('The API token was revoked.');
  };
