import type { StorageSession } from '@holdfast/plugin-api';
import { type Caller, confirmationRefusal, invalid, isoTime, say } from '../kernel/index.js';
import { confirmedMs } from './browser-session.rules.js';
import type { AccountsNeeds } from './needs.js';
import { browserSessions, tokens } from './tables.js';
import { tokenEnded, withPassword } from './users.js';

/**
 * Opens what can't be undone to the caller's browser session for ten minutes. Throws AppError `invalid` for a
 * wrong password (`password_wrong`) and for callers who are not asked.
 */
export async function confirmPassword(
  { storage, clock, passwords }: AccountsNeeds,
  caller: Caller,
  password: string,
) {
  const id = await browserSessionOf(storage, caller);
  await withPassword({ storage, passwords }, caller, password);
  return openConfirmed(storage, { id, now: clock.now() });
}

export async function browserSessionOf(storage: StorageSession, { tokenId }: Caller): Promise<number> {
  const [own] = await storage.find(tokens, { where: { id: tokenId }, limit: 1 });
  if (own?.session_id != null) return own.session_id;
  throw invalid(say`confirmation_not_needed: Only browser sessions need to confirm: this token does not.`);
}

export async function openConfirmed(storage: StorageSession, { id, now }: { id: number; now: number }) {
  const confirmed_until = now + confirmedMs;
  if ((await storage.update(browserSessions, { id }, { confirmed_until })) === 0) throw tokenEnded();
  return { success: true as const, confirmed_until: isoTime(confirmed_until) };
}

/** Why this caller has to confirm the password first; null: go ahead. */
export function refuseUnconfirmed({ clock }: AccountsNeeds, caller: Caller) {
  return confirmationRefusal(caller, clock.now());
}
