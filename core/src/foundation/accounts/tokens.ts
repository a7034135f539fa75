import type { ApiTokenView, NewApiToken } from '@holdfast/contracts';
import type { Caller } from '../kernel/index.js';
import { forbidden, invalid, isoTime, notFound, say } from '../kernel/index.js';
import type { AccountsNeeds } from './needs.js';
import { issueToken } from './sessions.js';
import { type TokenRow, tokens } from './tables.js';
import { done, tokenEnded } from './users.js';

/** Creates an API token for the caller. Only this answer contains the token itself. */
export async function createToken({ storage, clock }: AccountsNeeds, caller: Caller, input: NewApiToken) {
  const now = clock.now();
  const [own] = await storage.find(tokens, { where: { id: caller.tokenId }, limit: 1 });
  if (own?.grants) {
    throw forbidden(say`token_narrowed: A narrowed token cannot create tokens: sign in with your password.`);
  }
  const expiresAt = input.expires_at ? Date.parse(input.expires_at) : null;
  if (expiresAt !== null && !(expiresAt > now)) {
    throw invalid(say`api_token_expiry_past: \`expires_at\` must be in the future.`);
  }
  const { row, accessToken } = await issueToken(storage, {
    user_id: caller.userId,
    kind: 'api',
    name: input.name,
    read_only: input.read_only,
    summary_only: input.summary_only,
    grants: input.grants ?? null,
    created_at: now,
    expires_at: expiresAt,
  });
  // A concurrent logout or password change must not leave a token behind.
  if ((await storage.find(tokens, { where: { id: caller.tokenId }, limit: 1 })).length === 0) {
    await storage.remove(tokens, { id: row.id });
    throw tokenEnded();
  }
  return { success: true as const, access_token: accessToken, token: apiTokenView(row) };
}

/**
 * Revokes one of the caller's API tokens. Throws AppError `not_found`, also for the token of another user.
 */
export async function deleteToken({ storage }: AccountsNeeds, caller: Caller, id: number) {
  const removed = await storage.remove(tokens, { id, user_id: caller.userId, kind: 'api' });
  if (removed === 0)
    throw notFound(say`api_token_unknown: You have no API token ${{ id }}: see GET /api/auth/tokens.`);
  return done('The API token was revoked.');
}

/** The caller's own API tokens, without login sessions. */
export async function listTokens(
  { storage }: AccountsNeeds,
  caller: Caller,
): Promise<{ success: true; tokens: ApiTokenView[] }> {
  const rows = await storage.find(tokens, { where: { user_id: caller.userId, kind: 'api' } });
  return { success: true, tokens: rows.map(apiTokenView) };
}

const sweepEveryMs = 10 * 60_000;
const rowsOfASweep = 500;

/** Removes expired tokens in batches, at most every ten minutes. Never rejects. */
export function tokenSweeper({ storage, clock, log }: AccountsNeeds) {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<void> => {
    const now = clock.now();
    if (now - sweptAt < sweepEveryMs) return;
    sweptAt = now;
    try {
      const expired = await storage.find(tokens, {
        where: { expires_at: { lte: now } },
        order: [['expires_at', 'asc']],
        limit: rowsOfASweep,
      });
      if (expired.length > 0) await storage.remove(tokens, { id: { in: expired.map(({ id }) => id) } });
    } catch (error) {
      log.warn('could not remove expired access tokens', { error });
    }
  };
}

const apiTokenView = (row: TokenRow): ApiTokenView => ({
  id: row.id,
  name: row.name ?? '',
  read_only: row.read_only,
  summary_only: row.summary_only,
  grants: row.grants,
  created_at: isoTime(row.created_at),
  expires_at: isoTime(row.expires_at),
  last_used_at: isoTime(row.last_used_at),
});
