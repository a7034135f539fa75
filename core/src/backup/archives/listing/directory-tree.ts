import { conflict, say } from '../../../foundation/kernel/index.js';
import { baseNameOf, parentOf } from '../archive-path.rules.js';
import { orderKey } from './page-plan.js';

export interface TreeDirectory {
  id: number;
  path: string;
  parent: number;
  /** Bytes of the whole subtree, available after `rollUp`. */
  size: number;
  /** Null when no entry of the archive is this directory itself. */
  mtime: number | null;
  healthy: boolean;
  /** About as many bytes as its entries take in a page. */
  bytes: number;
  /** Order keys of some of its entries, chosen at random. */
  samples: readonly string[];
}

/** One of so many entries is a sample: a page holds some thousand. */
const sampleEvery = 256;

const implied = Number.NaN;
/** Of the paths of two million directories, as they usually are. */
const mostCharacters = 256 * 1024 * 1024;

/**
 * All directories of an archive, including implied ones. The only part of a listing held completely in memory
 * during a build, so it is stored in columns.
 */
export class DirectoryTree {
  readonly #ids = new Map<string, number>();
  readonly #paths: string[] = [];
  readonly #parents: number[] = [];
  readonly #sizes: number[] = [];
  readonly #mtimes: number[] = [];
  readonly #pageBytes: number[] = [];
  readonly #damaged = new Set<number>();
  readonly #samples = new Map<number, string[]>();
  #characters = 0;

  constructor() {
    this.#add('', -1);
  }

  get count(): number {
    return this.#paths.length;
  }

  /**
   * The id of a directory; adds it with its parents if new. Parents have smaller ids. Throws AppError
   * `conflict` if all paths together are too long: those of one deep entry can grow quadratically.
   */
  idOf(path: string): number {
    const unknown: string[] = [];
    let at = path;
    for (; !this.#ids.has(at); at = parentOf(at)) unknown.push(at);
    let id = this.#ids.get(at) ?? 0;
    for (const below of unknown.reverse()) {
      const name = baseNameOf(below);
      this.reserve(id, name.length);
      this.sample(id, true, name);
      id = this.#add(unsliced(below), id);
    }
    return id;
  }

  /** The archive has an entry for the directory itself. */
  describe(id: number, { mtime, healthy }: { mtime: number; healthy: boolean }): void {
    this.#mtimes[id] = mtime;
    if (!healthy) this.#damaged.add(id);
  }

  /** Counts an entry of the directory for the size of its pages. */
  reserve(id: number, nameLength: number): void {
    this.#pageBytes[id] = (this.#pageBytes[id] ?? 0) + nameLength + 24;
  }

  sample(id: number, isDirectory: boolean, name: string): void {
    if (Math.random() * sampleEvery >= 1) return;
    const samples = this.#samples.get(id) ?? [];
    this.#samples.set(id, samples);
    samples.push(orderKey(isDirectory, name));
  }

  has(path: string): boolean {
    return this.#ids.has(path);
  }

  addSize(id: number, bytes: number): void {
    this.#sizes[id] = (this.#sizes[id] ?? 0) + bytes;
  }

  forgetSize(id: number): void {
    this.#sizes[id] = 0;
  }

  /** Adds the size of each directory to its parents. Call once, after all sizes are known. */
  rollUp(): void {
    for (let id = this.count - 1; id > 0; id--) this.addSize(this.#parents[id] ?? 0, this.#sizes[id] ?? 0);
  }

  pathOf(id: number): string {
    return this.#paths[id] ?? '';
  }

  *directories(): Generator<TreeDirectory> {
    for (let id = 0; id < this.count; id++) {
      const mtime = this.#mtimes[id] ?? implied;
      yield {
        id,
        path: this.pathOf(id),
        parent: this.#parents[id] ?? -1,
        size: this.#sizes[id] ?? 0,
        mtime: Number.isNaN(mtime) ? null : mtime,
        healthy: !this.#damaged.has(id),
        bytes: this.#pageBytes[id] ?? 0,
        samples: this.#samples.get(id) ?? [],
      };
    }
  }

  #add(path: string, parent: number): number {
    this.#characters += path.length;
    if (this.#characters > mostCharacters) {
      throw conflict(
        say`archive_nested_too_deep: The directories of the archive are nested so deep that they cannot be listed. It can be restored as a whole.`,
      );
    }
    const id = this.#paths.push(path) - 1;
    this.#ids.set(path, id);
    this.#parents.push(parent);
    this.#sizes.push(0);
    this.#mtimes.push(implied);
    this.#pageBytes.push(0);
    return id;
  }
}

/** A copy that doesn't keep the text alive that it was cut from. */
const unsliced = (text: string): string => JSON.parse(JSON.stringify(text)) as string;
