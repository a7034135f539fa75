import { posix } from 'node:path';
import {
  contains,
  invalid,
  type Message,
  requireValidPath,
  say,
  withoutEndSlash,
} from '../../foundation/kernel/index.js';
import { doubleSlash, readAsArchive } from '../ssh/index.js';

/**
 * The absolute, normalised path of a local repository. A relative path is resolved in the data directory. Throws
 * AppError `invalid` for a path that can't be used.
 */
export function repositoryPath(text: string, dataDirectory: string): string {
  requireValidPath('path', text);
  const given = text.trim();
  if (given === '') throw invalid(say`repository_path_empty: path must not be empty.`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) {
    throw invalid(
      say`repository_path_not_local: path must be a local path: a repository on another host needs a connection_id.`,
    );
  }
  if (given.includes('//')) throw invalid(doubleSlash());
  const path = withoutEndSlash(posix.join(given.startsWith('/') ? '/' : dataDirectory, given));
  if (path.includes('::') || path.endsWith(':')) {
    throw invalid(readAsArchive());
  }
  return path;
}

/** Throws AppError `invalid` unless each is an absolute path without `..`. */
export function checkSources(sources: readonly string[]): void {
  for (const source of sources) {
    requireValidPath('source_directories', source);
    if (!source.startsWith('/')) {
      throw invalid(
        say`source_not_absolute: source_directories: "${{ source }}" is not absolute: give the full path, starting with a slash.`,
      );
    }
  }
}

/** Throws AppError `invalid` when nothing would be backed up. */
export function requireSources(
  { source_directories, sources }: { source_directories: readonly string[]; sources: readonly unknown[] },
  reason: Message,
): void {
  if (source_directories.length + sources.length > 0) return;
  const errors = ['source_directories', 'sources'].map((path) => ({ path, message: reason.text }));
  throw invalid(reason, { errors });
}

/** A path that the service itself needs. */
export interface ReservedPlace {
  /** Absolute and normalised. */
  path: string;
  /** Description for messages, such as `the data folder of the service`. */
  what: string;
  /** Device and inode, if it exists: one place may have several paths. */
  identity: string | null;
}

/** Places that no restore may write to, whatever the request says. */
export class ReservedPlaces {
  readonly #byIdentity: Map<string, ReservedPlace>;

  constructor(private readonly places: readonly ReservedPlace[]) {
    this.#byIdentity = new Map(
      places.flatMap((place) => (place.identity === null ? [] : [[place.identity, place] as const])),
    );
  }

  /**
   * Why a folder can't be the destination of a restore, or null. A folder that contains such a place is rejected as a whole, except
   * `/`, because an in-place restore checks each path.
   */
  refusal(destination: string): Message | null {
    for (const { path, what } of this.places) {
      if (contains(path, destination))
        return say`destination_inside_reserved: ${{ destination }} is inside ${{ reserved: what }}: choose another destination.`;
      if (destination !== '/' && contains(destination, path))
        return say`destination_contains_reserved: ${{ destination }} contains ${{ reserved: what }} (${{ path }}): choose another destination.`;
    }
    return null;
  }

  /**
   * The reserved place that an entry would be written into, or null. A directory that is the place itself changes
   * nothing.
   */
  holderOf(path: string, isDirectory: boolean): string | null {
    const within = this.places.find((place) => contains(place.path, path));
    if (!within || (isDirectory && within.path === path)) return null;
    return within.what;
  }

  /** The reserved place that a directory is under another name, for example through a mount, or null. */
  aliasOf(path: string, identity: string): string | null {
    const place = this.#byIdentity.get(identity);
    return place && place.path !== path ? place.what : null;
  }
}
