import { posix } from 'node:path';
import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import {
  composed,
  escapeName,
  type Message,
  type StoredMessage,
  say,
} from '../../foundation/kernel/index.js';
import { joinPath, parentOf } from '../archives/index.js';
import type { StoredSource } from '../repositories/tables.js';
import type { DumpPlace } from '../sources/index.js';

export const cannotRestore: Message = say`restore_unsupported: The backup driver of this installation cannot restore.`;

export const targetChanged = (path: string): Message =>
  say`restore_plan_target_changed: The target has changed since the plan was made, at ${{ path }}: make a new plan.`;

/** The selection and options of a restore. JSON. */
export interface RestoreOrder extends Record<string, unknown> {
  repositoryId: number;
  archive: string;
  /** The tool's id of the archive, because names can be reused. */
  archiveId: string;
  /**
   * Identifies the archive after a repair, which gives it a new id. Absent in orders from earlier releases.
   */
  archiveMade?: { start: number; comment: string };
  /** As requested; empty for everything. */
  paths: string[];
  /** Connection to the host of the destination; null for this machine. */
  destinationConnectionId: number | null;
  /** Display name of that host, `user@host`; null for this machine. */
  destinationHost: string | null;
  /** Absolute and normalised; `/` restores in place. */
  destination: string;
  stripComponents: number;
  overwrite: boolean;
  skipExisting: boolean;
  /** Absent in orders from earlier releases: by name. */
  owners?: 'numbers' | 'names';
  /** Starts although the plan says that the space may not suffice. */
  acceptLowSpace?: boolean;
}

/** The restore of a dump into a database. JSON. */
export interface DumpOrder extends DumpPlace {
  /** Where the database is; secrets are sealed. */
  server: StoredSource;
  into: string;
  replace: boolean;
}

export interface RestoreParameters extends RestoreOrder {
  planId: number | null;
  /** Into a database instead of the destination. */
  dump?: DumpOrder;
}

/** Counts the selection without parent folders that have no entry or were not selected. */
interface CountsByType {
  files: number;
  directories: number;
  links: number;
  others: number;
}

/** JSON. Counts and bytes. */
export interface RestoreOutcome extends Record<string, unknown> {
  restored: number;
  replaced: number;
  kept: number;
  bytes: number;
  /** As a plan counts them. Absent in outcomes of earlier releases. */
  byType?: CountsByType;
  /** Differences that the tool could not avoid. */
  warning: StoredMessage | null;
}

/**
 * After a crash, `moving` is completed and `undoing` is undone. The other phases never touched the target.
 */
export type RestorePhase = 'extracting' | 'moving' | 'undoing' | 'abandoned';

/**
 * The state of a target path: its inode and last change, or null if it did not exist; only the inode for a
 * directory that is merely on the path.
 */
export interface TargetStamp {
  path: string;
  stamp: string | null;
}

export interface ManifestEntry {
  /** Where it is now, with undecodable bytes as lone surrogates. */
  path: string;
  type: ArchiveEntry['type'];
  /**
   * `merged`: an existing directory, which keeps its attributes. `left_out`: a file that could not be
   * restored completely.
   */
  result: 'restored' | 'replaced' | 'kept' | 'merged' | 'left_out';
  size: number;
}

/** Matches archive entries against the chosen paths. */
export class Selection {
  readonly #paths: string[];
  /** Which of the chosen paths has this form; the first one of several. */
  readonly #forms = new Map<string, number>();
  /** The matched paths of each, as the archive has them. */
  readonly #found = new Map<string, Set<string>>();

  constructor(paths: readonly string[]) {
    this.#paths = paths.includes('') ? [] : [...paths];
    for (const [at, asked] of this.#paths.entries())
      for (const form of [asked, composed(asked)]) if (!this.#forms.has(form)) this.#forms.set(form, at);
  }

  /** Whether the path, or a folder above it, is chosen. Call it with every entry. */
  has(path: string): boolean {
    if (this.#paths.length === 0) return true;
    let first = Number.POSITIVE_INFINITY;
    let found = '';
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const head = path.slice(0, end);
      for (const form of [head, composed(head), escapeName(head)]) {
        const at = this.#forms.get(form) ?? first;
        if (at < first) [first, found] = [at, head];
      }
    }
    const asked = this.#paths[first];
    if (asked === undefined) return false;
    this.#found.set(asked, (this.#found.get(asked) ?? new Set()).add(found));
    return true;
  }

  /** Chosen paths that no entry matched, as requested. */
  get missing(): string[] {
    return this.#paths.filter((asked) => !this.#found.has(asked));
  }

  /** The matched paths as the archive has them. */
  get real(): string[] {
    return [...new Set([...this.#found.values()].flatMap((paths) => [...paths]))];
  }
}

/** The path without its first segments; null when nothing remains. */
export function stripped(path: string, components: number): string | null {
  if (components === 0) return path;
  const rest = path.split('/').slice(components).join('/');
  return rest === '' ? null : rest;
}

/** The number of leading folders shared by all paths; 0 for the whole archive. */
export function commonDepth(paths: readonly string[]): number {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  const differs = (name: string, at: number) => others.some((folders) => folders[at] !== name);
  const depth = first.findIndex(differs);
  return depth < 0 ? first.length : depth;
}

/** True for a symlink whose text leads out of the destination. `path` is relative to the destination. */
export function leavesDestination(destination: string, path: string, linkTarget: string): boolean {
  if (destination === '/') return false;
  const at = posix.resolve(joinPath(destination, parentOf(path)), linkTarget);
  return at !== destination && !at.startsWith(`${destination}/`);
}
