/** Paths inside an archive have no slash at their beginning; the top is ''. */

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The folders that lead to a path, with itself, as `[name, path]`. */
export const crumbsOf = (path: string): (readonly [string, string])[] =>
  path === ''
    ? []
    : path.split('/').map((name, at, names) => [name, names.slice(0, at + 1).join('/')] as const);

export const browseAddress = (repositoryId: number, archive: string, path = ''): string =>
  ['/repositories', repositoryId, 'browse', ...[archive, ...path.split('/')].map(encodeURIComponent)]
    .join('/')
    .replace(/\/$/, '');

export const isWithin = (folder: string, path: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** Removes paths inside another selected folder. */
export const outermost = (paths: readonly string[]): string[] => {
  const kept: string[] = [];
  for (const path of [...new Set(paths)].sort())
    if (!kept.some((folder) => isWithin(folder, path))) kept.push(path);
  return kept;
};

export function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  const differs = first.findIndex((name, at) => others.some((folders) => folders[at] !== name));
  return first.slice(0, differs < 0 ? undefined : differs).join('/');
}

/** Where an archive is among those of a slider, the oldest first; one that is not among them is before the first. */
export function stepsOf(archives: readonly { name: string; id: string }[], archive: string) {
  const at = archives.findIndex(({ name, id }) => name === archive || id === archive);
  return { min: Math.min(at, 0), max: archives.length - 1, at };
}
