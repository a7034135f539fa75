import { useQuery } from '@tanstack/preact-query';
import { read, type Schemas } from '../api/api.js';
import { useStore } from '../store.js';
import { useIsAdmin } from './is-admin.js';
import { user } from './link.js';

export type Grant = Schemas['UserView']['grants'][number];
export const rights = ['see', 'restore', 'operate'] as const;
type Right = (typeof rights)[number];
/** Without a repository: on any. */
type May = (right: Right, repositoryId?: number | null) => boolean;

export const useIsLimited = (): boolean => useStore(user)?.role === 'limited';

/** The rights of the signed-in user: what a limited user can't do is not shown. */
export function useMay(): May {
  const me = useStore(user);
  const grants = me?.role === 'limited' ? me.grants : null;
  const hasTags = grants?.some(({ tag }) => tag !== undefined) ?? false;
  const { data } = useQuery({ ...read('/api/repositories/'), enabled: hasTags });
  const tagsOf = (id: number) => data?.repositories.find((one) => one.id === id)?.tags ?? [];
  const concerns = ({ repository_id, tag }: Grant, id: number) =>
    repository_id === id || tagsOf(id).some((one) => one.toLowerCase() === tag?.toLowerCase());
  return (right, id) =>
    grants === null ||
    grants.some(
      (grant) => rights.indexOf(grant.right) >= rights.indexOf(right) && (id == null || concerns(grant, id)),
    );
}

/** Of a limited user; null: any folder. */
export function useAllowedFolders(): readonly string[] | null {
  const me = useStore(user);
  return me?.role === 'limited' ? me.restore_paths : null;
}

/** Whether files of a repository may be restored into a folder, not only downloaded. */
export function useMayRestore(): (repositoryId?: number) => boolean {
  const isAdmin = useIsAdmin();
  const folders = useAllowedFolders();
  const may = useMay();
  return (id) => isAdmin || (folders !== null && folders.length > 0 && may('operate', id));
}
