import { posix } from 'node:path';
import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { joinPath, parentOf } from '../archives/index.js';
import { escapeName } from '../kernel/index.js';

/** What a restore is to do. JSON. */
export interface RestoreOrder extends Record<string, unknown> {
  repositoryId: number;
  archive: string;
  /** The tool's id of the archive: another one of the same name is another archive. */
  archiveId: string;
  /** Of the archive, which a repair of the tool makes anew under another id; absent in orders of before. */
  archiveMade?: { start: number; comment: string };
  /** As they were asked for; none: everything. */
  paths: string[];
  /** The host on which the destination is; null: this machine. */
  destinationConnectionId: number | null;
  /** That host for people, `user@host`; null: this machine. */
  destinationHost: string | null;
  /** Absolute and normalised; `/` restores in place. */
  destination: string;
  stripComponents: number;
  overwrite: boolean;
  skipExisting: boolean;
}

export interface RestoreParameters extends RestoreOrder {
  planId: number | null;
}

/** JSON. Counts and bytes. */
export interface RestoreOutcome extends Record<string, unknown> {
  restored: number;
  replaced: number;
  kept: number;
  bytes: number;
  /** What the tool could not bring back as it was. */
  warning: string | null;
}

/** `moving` is finished by whoever comes next, `undoing` is undone; the others never touched the target. */
export type RestorePhase = 'extracting' | 'moving' | 'undoing' | 'abandoned';

/** What stood at a place of the target: an inode and its last change, or null when nothing did. */
export interface TargetStamp {
  path: string;
  stamp: string | null;
}

export interface ManifestEntry {
  /** Where it is now, undecodable bytes as lone surrogates. */
  path: string;
  type: ArchiveEntry['type'];
  /** `merged`: a directory that was there and keeps its attributes. `left_out`: a file that did not come back whole. */
  result: 'restored' | 'replaced' | 'kept' | 'merged' | 'left_out';
  size: number;
}

/** The chosen paths among the entries of an archive. */
export class Selection {
  readonly #paths: string[];
  readonly #found = new Map<string, string>();

  constructor(paths: readonly string[]) {
    this.#paths = paths.includes('') ? [] : [...paths];
  }

  /** Whether it is chosen, or lies below what is. Call it with every entry. */
  has(path: string): boolean {
    if (this.#paths.length === 0) return true;
    return this.#paths.some((asked) => this.#covers(asked, path));
  }

  /** Those that no entry met, as they were asked for. */
  get missing(): string[] {
    return this.#paths.filter((asked) => !this.#found.has(asked));
  }

  /** The paths as the archive has them. */
  get real(): string[] {
    return [...new Set(this.#found.values())];
  }

  #covers(asked: string, path: string): boolean {
    if (isBelow(asked, path)) {
      this.#found.set(asked, asked);
      return true;
    }
    if (!asked.includes('\\udc')) return false;
    const depth = asked.split('/').length;
    const head = path.split('/').slice(0, depth).join('/');
    if (escapeName(head) !== asked) return false;
    this.#found.set(asked, head);
    return true;
  }
}

const isBelow = (outer: string, path: string): boolean =>
  path === outer || (path.startsWith(outer) && path[outer.length] === '/');

/** The path without its first parts; null when nothing is left. */
export function stripped(path: string, components: number): string | null {
  if (components === 0) return path;
  const rest = path.split('/').slice(components).join('/');
  return rest === '' ? null : rest;
}

/** True for a symlink that leads out of the destination, by its text alone. `path` is below the destination. */
export function leavesDestination(destination: string, path: string, linkTarget: string): boolean {
  if (destination === '/') return false;
  const at = posix.resolve(joinPath(destination, parentOf(path)), linkTarget);
  return at !== destination && !at.startsWith(`${destination}/`);
}
