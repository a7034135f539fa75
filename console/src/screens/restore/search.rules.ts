import type { Schemas } from '../../api/client.js';

type Item = Schemas['RepositorySearch']['items'][number];

/** One content of a file, in the newest archive that has it. */
export interface Version {
  type: Item['versions'][number]['type'];
  size: number;
  mtime: string | null;
  archive: string;
  /** When this archive was begun; null if it is not known. */
  start: string | null;
  count: number;
}

/** The versions of a path, the newest first. @param starts when each archive was begun, by its name */
export const versionsOf = (item: Item, starts: ReadonlyMap<string, string>): Version[] =>
  item.versions
    .map(({ archives, ...version }) => {
      const archive = archives.reduce((newest, name) =>
        (starts.get(name) ?? '') >= (starts.get(newest) ?? '') ? name : newest,
      );
      return { ...version, archive, start: starts.get(archive) ?? null, count: archives.length };
    })
    .sort((one, other) => (other.start ?? '').localeCompare(one.start ?? ''));

export interface ArchiveName {
  repositoryId: number;
  name: string;
  /** '' if it is not known. */
  start: string;
}

export const newestFirst = (archives: readonly ArchiveName[]): ArchiveName[] =>
  [...archives].sort((one, other) => other.start.localeCompare(one.start));
