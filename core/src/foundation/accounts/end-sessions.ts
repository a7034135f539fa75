import type { StorageSession } from '@holdfast/plugin-api';
import { browserSessions, challenges, type TokenRow, tokens } from './tables.js';

/** Ends this login of its user and all earlier ones. Not those of browsers. */
export const endSessionsUpTo = (session: StorageSession, { id, user_id }: Pick<TokenRow, 'id' | 'user_id'>) =>
  session.remove(tokens, { kind: 'session', session_id: null, user_id, id: { lte: id } });

/** Ends all sessions and begun sign-ins of a user, not the API tokens. Call it in a transaction. */
export async function endSessionsOf(session: StorageSession, user_id: number): Promise<void> {
  await session.remove(browserSessions, { user_id });
  await session.remove(tokens, { user_id, kind: 'session' });
  await session.remove(challenges, { user_id });
}

/** Ends sessions of browsers with all their access tokens. Call it in a transaction. */
export async function endBrowserSessions(session: StorageSession, ids: readonly number[]): Promise<void> {
  await session.remove(browserSessions, { id: { in: ids } });
  await session.remove(tokens, { session_id: { in: ids } });
}

/**
 * Ends all sessions, API tokens and begun sign-ins of a user, except the token `keep` and its browser session. Call it in a
 * transaction.
 */
export async function endAllSignIns(
  session: StorageSession,
  userId: number,
  keep?: Pick<TokenRow, 'id' | 'session_id'>,
): Promise<void> {
  const other = <T>(id: T | null | undefined) => (id == null ? {} : { id: { not: id } });
  await session.remove(browserSessions, { user_id: userId, ...other(keep?.session_id) });
  await session.remove(tokens, { user_id: userId, ...other(keep?.id) });
  await session.remove(challenges, { user_id: userId });
}
