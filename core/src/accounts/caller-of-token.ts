import type { SignedInCaller } from '../kernel/caller.rules.js';
import type { StorageSession } from '../ports/storage.js';
import { type TokenRow, type UserRow, users } from '../schema/tables.js';

/** Whom a stored token stands for at `now`; null when it is expired or its user inactive. */
export async function callerOfToken(
  storage: StorageSession,
  token: TokenRow | undefined,
  now: number,
): Promise<SignedInCaller | null> {
  return token ? callerOf(token, await userOfToken(storage, token), now) : null;
}

export async function userOfToken(
  storage: StorageSession,
  { user_id }: TokenRow,
): Promise<UserRow | undefined> {
  const [user] = await storage.find(users, { where: { id: user_id }, limit: 1 });
  return user;
}

/** The same of rows that were read. */
export function callerOf(
  token: TokenRow | undefined,
  user: UserRow | undefined,
  now: number,
): SignedInCaller | null {
  if (!token || (token.expires_at !== null && token.expires_at <= now)) return null;
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
