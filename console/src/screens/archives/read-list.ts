import { api } from '../../api/api.js';
import { answer } from '../../api/client.js';
import type { ArchiveName } from '../restore/search.rules.js';

type Archive = Pick<ArchiveName, 'repositoryId' | 'name'>;

const paramsOf = ({ repositoryId, name }: Archive) => ({
  path: { archive_id: name },
  query: { repository_id: repositoryId },
});

/** Has the list of files made. */
export async function makeList(archive: Archive, signal: AbortSignal): Promise<void> {
  const { path, query } = paramsOf(archive);
  const params = { path, query: { ...query, limit: 1 } };
  await answer(api.GET('/api/archives/{archive_id}/contents', { params, signal }));
}

/** The same; a moment passes between its first use and its being kept. */
export async function readList(archive: Archive, signal: AbortSignal): Promise<void> {
  await makeList(archive, signal);
  const params = paramsOf(archive);
  for (let tries = 0; tries < 20; tries += 1) {
    const { state } = await answer(api.GET('/api/archives/{archive_id}/listing', { params, signal }));
    if (state === 'cached') return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
