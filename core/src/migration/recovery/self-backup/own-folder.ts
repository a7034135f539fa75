import { noteOwnSource, repositories } from '../../../backup/repositories/index.js';
import { jobs } from '../../../engine/jobs/index.js';
import type { RecoveryNeeds } from '../needs.js';
import { makeOwnFolder, sweepOwnFolder } from './own-folder.fs.js';

/**
 * Runs at startup: removes leftovers of a killed run and creates the folder, in case the data folder has
 * moved. Never rejects.
 */
export async function prepareSelfBackup({
  storage,
  log,
  settings: { dataDirectory },
}: RecoveryNeeds): Promise<void> {
  try {
    const own = await storage.find(repositories, { where: { self_backup: true } });
    if (own.length === 0) return;
    const folder = await makeOwnFolder(dataDirectory);
    if (own.some(({ source_directories: [source] }) => source !== folder))
      await noteOwnSource(storage, folder);
    // Another process may be copying into the same folder. A run that was killed is recovered soon, and sweeps as well.
    const where = {
      repository_id: { in: own.map(({ id }) => id) },
      kind: 'backup',
      status: 'running',
    } as const;
    const [running] = await storage.find(jobs, { where, limit: 1 });
    if (!running) await sweepOwnFolder(dataDirectory);
  } catch (error) {
    log.warn('the folder for the backup of Holdfast itself could not be prepared', { error });
  }
}
