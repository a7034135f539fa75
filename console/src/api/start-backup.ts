import { write } from './api.js';

/** @returns its job. */
export async function startBackup(repositoryId: number): Promise<number> {
  const body = { repository_id: repositoryId } as never;
  return (await write('POST', '/api/backup/start', { body })).job_id;
}
