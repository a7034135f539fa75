import { api } from './api.js';
import { answer } from './client.js';

/** @returns its job. */
export async function startBackup(repositoryId: number): Promise<number> {
  const body = { repository_id: repositoryId } as never;
  return (await answer(api.POST('/api/backup/start', { body }))).job_id;
}
