import type { Caller } from '../kernel/caller.rules.js';
import { tokens, users } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';

type Holder = Pick<Caller, 'tokenId' | 'userId'>;

/** Of callers whose answers last: the ids of the tokens that were revoked or ran out, or whose user is inactive. */
export const findSignedOut =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (holders: readonly Holder[]): Promise<Set<number>> => {
    const tokenIds = [...new Set(holders.map(({ tokenId }) => tokenId))];
    const userIds = [...new Set(holders.map(({ userId }) => userId))];
    const now = clock.now();
    const held = await storage.find(tokens, { where: { id: { in: tokenIds } } });
    const active = await storage.find(users, { where: { id: { in: userIds }, is_active: true } });
    const activeIds = new Set(active.map(({ id }) => id));
    const good = new Set(
      held
        .filter(({ user_id, expires_at }) => activeIds.has(user_id) && (expires_at ?? Infinity) > now)
        .map(({ id }) => id),
    );
    return new Set(tokenIds.filter((id) => !good.has(id)));
  };
