import type { StorageBackend } from '@holdfast/plugin-api';
import { noteOwnSource, repositories } from '../../../backup/repositories/index.js';
import { schedules } from '../../../backup/schedules/index.js';
import { jobs } from '../../../engine/jobs/index.js';
import { users } from '../../../foundation/accounts/index.js';
import { incidents } from '../../../insight/incidents/index.js';
import { ownFolderOf } from './own-folder.fs.js';

/** How much came back. */
export interface Recovered {
  users: number;
  repositories: number;
  schedules: number;
  jobs: number;
  incidents: number;
  /** Jobs that were pending or running when the copy was made. */
  unfinished: number;
}

/** Counts what came back, and fits it to its new data folder. Safe to repeat. */
export async function settleRecovered(storage: StorageBackend, dataDirectory: string): Promise<Recovered> {
  await noteOwnSource(storage, ownFolderOf(dataDirectory));
  const count = { measures: { count: { count: true } } } as const;
  const [people, places, plans, work, cases, open] = await Promise.all([
    storage.aggregate(users, count),
    storage.aggregate(repositories, { ...count, where: { removed_at: null } }),
    storage.aggregate(schedules, count),
    storage.aggregate(jobs, count),
    storage.aggregate(incidents, count),
    storage.aggregate(jobs, { ...count, where: { status: { in: ['pending', 'running'] } } }),
  ]);
  const of = ([row]: { count: number | null }[]) => row?.count ?? 0;
  return {
    users: of(people),
    repositories: of(places),
    schedules: of(plans),
    jobs: of(work),
    incidents: of(cases),
    unfinished: of(open),
  };
}
