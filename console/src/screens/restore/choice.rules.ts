/** The selection to restore. `paths` with '' is the whole archive; without any, nothing is selected yet. */
export interface Choice {
  repositoryId: number;
  archive: string;
  paths: readonly string[];
}

/** Longer lists of paths than a request line may have are kept by the tab. */
const longestAddress = 4_000;
const keyOf = (key: string) => `holdfast-paths-${key}`;
type Drawer = Pick<Storage, 'getItem' | 'setItem'>;

/** A link to a restore, which can be shared unless it has very many paths. */
export function restoreAddress({ repositoryId, archive, paths }: Choice, drawer: Drawer): string {
  const address = new URLSearchParams({ repository: String(repositoryId), archive });
  const full = new URLSearchParams(address);
  for (const path of paths) full.append('path', path === '' ? '/' : path);
  if (String(full).length <= longestAddress) return `/restore?${full}`;
  const text = JSON.stringify(paths);
  const key = hash(text);
  drawer.setItem(keyOf(key), text);
  address.set('selection', key);
  return `/restore?${address}`;
}

/** Null if the address names no archive. */
export function choiceOf(address: URLSearchParams, drawer: Drawer): Choice | null {
  const [repository, archive] = [address.get('repository'), address.get('archive')];
  if (!repository || !archive) return null;
  const kept = drawer.getItem(keyOf(address.get('selection') ?? ''));
  const paths = kept === null ? address.getAll('path') : (JSON.parse(kept) as string[]);
  return {
    repositoryId: Number(repository),
    archive,
    paths: paths.map((path) => path.replace(/^\/+|\/+$/g, '')),
  };
}

function hash(text: string): string {
  let value = 5381;
  for (let at = 0; at < text.length; at += 1) value = (value * 33 + text.charCodeAt(at)) >>> 0;
  return `${value.toString(36)}-${text.length}`;
}
