import type { StorageSession } from '@holdfast/plugin-api';
import { foundRepositories } from './tables.js';

/** Removes what a discovery found, before its job is removed. */
export async function removeFound(storage: StorageSession, jobId: number): Promise<void> {
  await storage.remove(foundRepositories, { job_id: jobId });
}
