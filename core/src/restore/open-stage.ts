import { join } from 'node:path';
import type { RestoreOrder } from './restore.rules.js';
import { localStage } from './stage/local-stage.js';
import { remoteStage } from './remote/remote-stage.js';
import type { Stage } from './stage/stage.js';
import { type SourceNeeds, sourceHost } from '../backups/pull/source-host.js';
import type { Dependencies } from '../dependencies.js';
import { findConnection } from '../ssh/connection-access.js';

export type StageNeeds = SourceNeeds & Pick<Dependencies, 'settings' | 'trees'>;

/** The working folder of a restore, whether or not it was made. AppError `not_found` when its connection is gone. */
export async function openStage(
  needs: StageNeeds,
  { destinationConnectionId: id }: Pick<RestoreOrder, 'destinationConnectionId'>,
  { job_id, staging }: { job_id: number; staging: string },
): Promise<Stage> {
  if (typeof id !== 'number') return localStage(staging);
  const connection = await findConnection(needs.storage, id);
  return remoteStage({
    host: () => sourceHost(needs, connection, { remote_path: null }),
    trees: needs.trees,
    folder: staging,
    local: join(needs.settings.dataDirectory, 'restores', `${job_id}`),
  });
}
