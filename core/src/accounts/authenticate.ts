import { hashOfAccessToken, looksLikeAccessToken } from './access-token.rules.js';
import type { SignedInCaller } from '../kernel/caller.rules.js';
import type { StorageSession } from '../ports/storage.js';
import { KeptReads } from '../kernel/kept-reads.js';
import { type TokenRow, tokens } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { callerOf, userOfToken } from './caller-of-token.js';

/** How exact `last_used_at` is: at most one write a minute for each token. */
const useNotedEveryMs = 60_000;

/**
 * The caller behind an access token; null when it is unknown, expired or revoked, or its user inactive.
 * What was read is used again only while the storage says that nothing changed: a revoked token ends with the next
 * request, on every instance.
 */
export const authenticate = ({ storage, clock, log }: Pick<Dependencies, 'storage' | 'clock' | 'log'>) => {
  const kept = new KeptReads(storage);
  return async (accessToken: string): Promise<SignedInCaller | null> => {
    if (!looksLikeAccessToken(accessToken)) return null;
    const hash = hashOfAccessToken(accessToken);
    const { token, user } = await kept.read(hash, () => readToken(storage, hash));
    const now = clock.now();
    const caller = callerOf(token, user, now);
    if (token && caller) await noteUse({ storage, log }, token, now);
    return caller;
  };
};

async function readToken(storage: StorageSession, hash: string) {
  const [token] = await storage.find(tokens, { where: { hash }, limit: 1 });
  return { token, user: token && (await userOfToken(storage, token)) };
}

async function noteUse(
  { storage, log }: Pick<Dependencies, 'storage' | 'log'>,
  token: TokenRow,
  now: number,
) {
  if (token.last_used_at !== null && now - token.last_used_at < useNotedEveryMs) return;
  try {
    await storage.update(tokens, { id: token.id, last_used_at: token.last_used_at }, { last_used_at: now });
  } catch (error) {
    // A full or busy database must not keep people from reading.
    log.warn('could not note the use of an access token', { tokenId: token.id, error });
  }
}
