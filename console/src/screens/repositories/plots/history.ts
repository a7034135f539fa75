import { read, type Schemas } from '../../../api/api.js';

export type History = Pick<Schemas['RepositoryHistory'], 'archives' | 'samples' | 'from' | 'to'>;
const pageSize = 5_000;
const mostPages = 4;

/** All of the last days, page by page. */
export const historyQuery = (id: number, days: number) => ({
  queryKey: ['/api/repositories/{repo_id}/history', id, days] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<History> => {
    const from = new Date(Date.now() - days * 86_400_000).toISOString();
    let all: History | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const query = { from, limit: pageSize, offset: page * pageSize };
      const given = { path: { repo_id: id }, query };
      // Without a path.
      const next = (await read('/api/repositories/{repo_id}/history', given).queryFn({
        signal,
      })) as Schemas['RepositoryHistory'];
      all = {
        ...next,
        archives: [...(all?.archives ?? []), ...next.archives],
        samples: [...(all?.samples ?? []), ...next.samples],
      };
      if (!next.truncated) break;
    }
    return all as History;
  },
});
