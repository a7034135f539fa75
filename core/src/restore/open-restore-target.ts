import type { RestoreTarget } from './stage/target.js';
import { toolFailure } from '../archives/tool-failure.js';
import { findConnection } from '../ssh/connection-access.js';
import { type LocalNeeds, localTarget } from './local-target.js';
import { type RemoteNeeds, remoteTarget } from './remote-target.js';

export type TargetNeeds = LocalNeeds & RemoteNeeds;

/** The machine of a destination. AppError `not_found` for a connection that is not there. `close` it. */
export const openRestoreTarget = async (
  needs: TargetNeeds,
  connectionId: number | null | undefined,
): Promise<RestoreTarget> =>
  typeof connectionId === 'number'
    ? remoteTarget(needs, await findConnection(needs.storage, connectionId))
    : localTarget(needs);

/** Opens it for some work within a request; a host that can't be reached is AppError `unavailable`. */
export async function atTarget<T>(
  needs: TargetNeeds,
  connectionId: number | null | undefined,
  work: (target: RestoreTarget) => Promise<T>,
): Promise<T> {
  try {
    const target = await openRestoreTarget(needs, connectionId);
    return await work(target).finally(() => target.close());
  } catch (error) {
    throw toolFailure(error);
  }
}
