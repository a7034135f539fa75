import { posix } from 'node:path';
import { contains, invalid, refuseUnfit, withoutEndSlash } from '../kernel/index.js';

/**
 * The absolute, normalised path that a given one stands for; a relative one belongs to the data directory.
 * AppError `invalid` for what can't be, or must not be, the place of a local repository.
 */
export function repositoryPath(text: string, dataDirectory: string): string {
  refuseUnfit('path', text);
  const given = text.trim();
  if (given === '') throw invalid('path must not be empty.');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) {
    throw invalid('path must be a local path: a repository on another host needs a connection_id.');
  }
  if (given.includes('//')) throw invalid('path must not have an empty part: remove the doubled slash.');
  const path = withoutEndSlash(posix.join(given.startsWith('/') ? '/' : dataDirectory, given));
  if (path.includes('::') || path.endsWith(':')) {
    throw invalid('path must not hold "::" nor end in ":": the backup tool would read it as an archive.');
  }
  return path;
}

/** AppError `invalid` unless each is an absolute path without `..`. */
export function checkSources(sources: readonly string[]): void {
  for (const source of sources) {
    refuseUnfit('source_directories', source);
    if (!source.startsWith('/')) {
      throw invalid(
        `source_directories: "${source}" is not absolute. Give the whole path, from the first slash.`,
      );
    }
  }
}

/** A place that the service itself lives by. */
export interface ReservedPlace {
  /** Absolute and normalised. */
  path: string;
  /** In words, such as `the data folder of the service`. */
  what: string;
  /** Device and inode, where it is there: one place may have several paths. */
  identity: string | null;
}

/** Where no restore writes, whatever the request says. */
export class ReservedPlaces {
  readonly #byIdentity: Map<string, ReservedPlace>;

  constructor(private readonly places: readonly ReservedPlace[]) {
    this.#byIdentity = new Map(
      places.flatMap((place) => (place.identity === null ? [] : [[place.identity, place] as const])),
    );
  }

  /**
   * Why a folder can't be a destination, or null. One that holds such a place is refused as a whole; `/` is not, for
   * in place each path is looked at by itself.
   */
  refusal(destination: string): string | null {
    for (const { path, what } of this.places) {
      if (contains(path, destination)) return `${destination} lies inside ${what}`;
      if (destination !== '/' && contains(destination, path)) return `${destination} holds ${what} (${path})`;
    }
    return null;
  }

  /** What an entry would be written into, or null. A directory in the very place changes nothing there. */
  holderOf(path: string, isDirectory: boolean): string | null {
    const within = this.places.find((place) => contains(place.path, path));
    if (!within || (isDirectory && within.path === path)) return null;
    return within.what;
  }

  /** What a directory is under another name, by a mount for example; or null. */
  aliasOf(path: string, identity: string): string | null {
    const place = this.#byIdentity.get(identity);
    return place && place.path !== path ? place.what : null;
  }
}
