import type { NewApiToken } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { invalid } from '../kernel/errors.js';
import { tokens } from '../schema/tables.js';
import { apiTokenView } from './api-token-view.js';
import type { Dependencies } from '../dependencies.js';
import { tokenEnded } from './find-user.js';
import { issueToken } from './sessions.js';

/** An API token of the caller. This answer is the only place where the token itself stands. */
export const createToken =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (caller: Caller, input: NewApiToken) => {
    const now = clock.now();
    const expiresAt = input.expires_at ? Date.parse(input.expires_at) : null;
    if (expiresAt !== null && !(expiresAt > now)) {
      throw invalid('`expires_at` must lie in the future.');
    }
    const { row, accessToken } = await issueToken(storage, {
      user_id: caller.userId,
      kind: 'api',
      name: input.name,
      read_only: input.read_only,
      created_at: now,
      expires_at: expiresAt,
    });
    // A logout or a change of password meanwhile must not leave a token behind.
    if ((await storage.find(tokens, { where: { id: caller.tokenId }, limit: 1 })).length === 0) {
      await storage.remove(tokens, { id: row.id });
      throw tokenEnded();
    }
    return { success: true as const, access_token: accessToken, token: apiTokenView(row) };
  };
