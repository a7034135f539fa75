import { useRead } from '../../api/api.js';

/** The name of a repository by its id; a placeholder until they are loaded. */
export function useRepositoryNames(): (id: number) => string {
  const { data } = useRead('/api/repositories/');
  const names = new Map(data?.repositories.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? '…';
}
