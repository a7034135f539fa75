import { contract } from '@holdfast/contracts';
import type { Api } from '../api.js';
import { fillPath, parametersOf, routesOf } from '../gates/contract-routes.js';
import type { LeakWorld } from './leak-world.js';

/** Jobs are many; of other things there are a few. The last ones are not there. */
const ofJobs = Array.from({ length: 14 }, (_, index) => index + 1);
const ofOthers = [1, 2, 3, 4];

function idsFor(parameters: string[]): number[] {
  const [first] = parameters;
  if (first === undefined || /archive|file/.test(first)) return [1];
  return first === 'job_id' ? ofJobs : ofOthers;
}

/** Everything that can be looked at, through every route of the contracts, by an administrator and by a user. */
export async function sweep(world: LeakWorld, { api, user }: { api: Api; user: Api }): Promise<void> {
  const { body } = await api.get('/api/repositories/');
  const [repository] = body.repositories as { id: number }[];
  const repository_id = repository?.id ?? 1;
  const list = await api.get('/api/archives/list', { repository_id });
  const archive = (list.body.archives.at(-1)?.name ?? 'none') as string;
  const query = { repository_id, archive, query: 'file', path: '', with: archive, file_path: 'x', file: 'x' };
  const looks = routesOf(contract).filter(({ method, path }) => method === 'GET' && path !== '/api/events');
  for (const route of looks) {
    // Only routes about archives take all of it.
    const given = /archive|restore\/contents/.test(route.path) ? query : {};
    for (const id of idsFor(parametersOf(route))) {
      const values: Record<string, string> = { repository_id: `${repository_id}`, archive_name: archive };
      const path = fillPath(
        route.path,
        (name) => values[name] ?? (name === 'archive_id' ? archive : `${id}`),
      );
      await api.get(path, given);
      if (id === 1) await user.get(path, given);
    }
  }
  const token = world.book.named('the token of the metrics')?.parts[0] ?? null;
  await world.server.api.request('GET', '/metrics', { token });
}
