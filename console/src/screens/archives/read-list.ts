import { read } from '../../api/api.js';
import type { ArchiveName } from '../restore/search.rules.js';

type Archive = Pick<ArchiveName, 'repositoryId' | 'name'>;

const paramsOf = ({ repositoryId, name }: Archive, query: { limit?: number } = {}) => ({
  path: { archive_id: name },
  query: { repository_id: repositoryId, ...query },
});

export async function makeList(archive: Archive, signal: AbortSignal): Promise<void> {
  await read('/api/archives/{archive_id}/contents', paramsOf(archive, { limit: 1 })).queryFn({ signal });
}

/** The same; a moment passes between its first use and its being kept. */
export async function readList(archive: Archive, signal: AbortSignal): Promise<void> {
  await makeList(archive, signal);
  const { queryFn } = read('/api/archives/{archive_id}/listing', paramsOf(archive));
  for (let tries = 0; tries < 20; tries += 1) {
    if ((await queryFn({ signal })).state === 'cached') return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
