import { contains, type Message, normalised, say } from '../../foundation/kernel/index.js';

/**
 * A source that holds the data folder of the service, unless that is excluded: its database changes during a backup,
 * and it holds the keys of all repositories. Null when there is none.
 */
export function ownFolderIn(
  sources: readonly string[],
  { dataDirectory, excluded }: { dataDirectory: string; excluded(path: string): boolean },
): Message | null {
  const source = sources.find((each) => {
    const path = normalised(each);
    return contains(path, dataDirectory) && !isLeftOut(path, dataDirectory, excluded);
  });
  if (source === undefined) return null;
  return say`source_holds_data_folder: The source ${{ source }} contains the data folder of Holdfast (${{ folder: dataDirectory }}), whose database changes during a backup: exclude it.`;
}

/** The folder, or one above it below the source, is excluded. */
export function isLeftOut(source: string, folder: string, excluded: (path: string) => boolean): boolean {
  const names = folder.split('/');
  return names.some((_, n) => {
    const path = names.slice(0, n + 1).join('/') || '/';
    return contains(source, path) && excluded(path);
  });
}
