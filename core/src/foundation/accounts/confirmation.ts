import { type Caller, confirmationRefusal, invalid, isoTime, say } from '../kernel/index.js';
import { confirmedMs } from './browser-session.rules.js';
import type { AccountsNeeds } from './needs.js';
import { browserSessions, tokens } from './tables.js';
import { findOwnUser, tokenEnded } from './users.js';

/**
 * Opens what can't be undone to the caller's browser session for ten minutes. Throws AppError `invalid` for a
 * wrong password (`password_wrong`) and for callers who are not asked.
 */
export async function confirmPassword(
  { storage, clock, passwords }: AccountsNeeds,
  caller: Caller,
  password: string,
) {
  const user = await findOwnUser(storage, caller);
  const [own] = await storage.find(tokens, { where: { id: caller.tokenId }, limit: 1 });
  if (own?.session_id == null) {
    throw invalid(say`confirmation_not_needed: Only browser sessions need to confirm: this token does not.`);
  }
  if (!(await passwords.verify(user.password_hash, password)))
    throw invalid(say`password_wrong: The password is wrong.`);
  const confirmed_until = clock.now() + confirmedMs;
  if ((await storage.update(browserSessions, { id: own.session_id }, { confirmed_until })) === 0)
    throw tokenEnded();
  return { success: true as const, confirmed_until: isoTime(confirmed_until) };
}

/** Why this caller has to confirm the password first; null: go ahead. */
export function refuseUnconfirmed({ clock }: AccountsNeeds, caller: Caller) {
  return confirmationRefusal(caller, clock.now());
}
