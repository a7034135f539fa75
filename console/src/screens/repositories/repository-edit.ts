import { api, readTagged } from '../../api/api.js';
import { answer, ifMatch, type Schemas } from '../../api/client.js';
import { outdate, readNow } from '../../api/query-client.js';
import type { Values } from '../../ui/merge.rules.js';
import type { Repository } from './repository-page.js';

interface Tagged {
  data: { repository: Repository };
  etag: string | undefined;
}

export const taggedRepository = (id: number) => ({
  ...readTagged('/api/repositories/{repo_id}', { path: { repo_id: id } }),
  staleTime: 0,
});

/** How some settings of a repository are read and written, for `useEdit`. */
export function repositoryEdit<T extends Values>(id: number, tagged: Tagged, pick: (from: Repository) => T) {
  const view = ({ data, etag }: Tagged) => ({ values: pick(data.repository), etag });
  return {
    loaded: view(tagged),
    reload: async () => view(await readNow(taggedRepository(id))),
    save: async (body: Partial<T>, etag: string | undefined) => {
      const params = { path: { repo_id: id }, header: ifMatch(etag) };
      await answer(
        api.PUT('/api/repositories/{repo_id}', { params, body: body as Schemas['RepositoriesUpdateBody'] }),
      );
      outdate('/api/repositories', '/api/system/protection', '/api/overview');
    },
  };
}
