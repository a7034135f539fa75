import { contains } from './repository-path.rules.js';

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
