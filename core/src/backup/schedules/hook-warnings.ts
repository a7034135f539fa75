import type { StorageBackend, StorageSession } from '@holdfast/plugin-api';
import { say } from '../../foundation/kernel/index.js';
import { hasHooks, hasPreHook } from '../hooks/index.js';
import { findRepository } from '../repositories/index.js';
import { repositories } from '../repositories/tables.js';
import { repositoryIdsOf } from './schedule-changed.js';
import { type ScheduleRow, scheduleRepositories, schedules } from './tables.js';

/** A schedule that leaves out the scripts of its repositories may save no snapshot and no dump. */
export async function hookWarnings(
  session: StorageSession,
  { id, run_repository_scripts }: Pick<ScheduleRow, 'id' | 'run_repository_scripts'>,
): Promise<string[]> {
  if (run_repository_scripts) return [];
  const ids = await repositoryIdsOf(session, id);
  const names: string[] = [];
  for (const repository of await session.find(repositories, { where: { id: { in: ids } } }))
    if (await hasHooks(session, repository)) names.push(repository.name);
  if (names.length === 0) return [];
  const warning = say`schedule_without_hooks: The scripts of ${{ repositories: names }} do not run with this schedule, for example scripts that make snapshots or dumps: set run_repository_scripts if backups need them.`;
  return [warning.text];
}

/** Which scripts run around the backups of a repository. Throws AppError `not_found`. */
export async function scriptsAround({ storage }: { storage: StorageBackend }, repository_id: number) {
  const repository = await findRepository(storage, { repository_id });
  const links = await storage.find(scheduleRepositories, { where: { repository_id } });
  const ids = links.map(({ schedule_id }) => schedule_id);
  const where = { id: { in: ids }, enabled: true, run_repository_scripts: false };
  const without = (await hasHooks(storage, repository)) ? await storage.find(schedules, { where }) : [];
  return { before: await hasPreHook(storage, repository), leftOutBy: without.map(({ name }) => name) };
}
