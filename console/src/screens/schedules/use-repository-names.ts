import { useQuery } from '@tanstack/preact-query';
import { read } from '../../api/api.js';

/** The name of a repository by its id; a placeholder until they are loaded. */
export function useRepositoryNames(): (id: number) => string {
  const { data } = useQuery(read('/api/repositories/'));
  const names = new Map(data?.repositories.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? '…';
}
