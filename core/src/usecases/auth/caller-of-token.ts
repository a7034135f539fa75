import type { SignedInCaller } from '../../domain/caller.js';
import type { StorageSession } from '../../ports/storage.js';
import { type TokenRow, users } from '../../schema/tables.js';

/** Whom a stored token stands for at `now`; null when it is expired or its user inactive. */
export async function callerOfToken(
  storage: StorageSession,
  token: TokenRow | undefined,
  now: number,
): Promise<SignedInCaller | null> {
  if (!token || (token.expires_at !== null && token.expires_at <= now)) return null;
  const [user] = await storage.find(users, { where: { id: token.user_id }, limit: 1 });
  if (!user?.is_active) return null;
  return {
    userId: user.id,
    username: user.username,
    isAdmin: user.is_admin,
    readOnly: token.read_only,
    tokenId: token.id,
    mustChangePassword: user.must_change_password,
  };
}
