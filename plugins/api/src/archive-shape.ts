import { randomBytes } from 'node:crypto';
import type { ArchiveEntry } from './backup-driver.js';
import { canonicalPath, problemOfName } from './entry-names.js';

type Visit = (bits: number, whole: boolean) => number;

/**
 * Stores a few bits per path in 20 to 40 bytes each, because there may be millions of paths. Paths are identified by
 * a 64-bit hash with a secret seed, so nobody can construct two paths that collide.
 */
export class PathKinds {
  readonly #start = new Uint32Array(new Uint8Array(randomBytes(8)).buffer);
  #first = new Uint32Array(1024);
  #second = new Uint32Array(1024);
  #bits = new Uint8Array(1024);
  #count = 0;

  get(path: string): number {
    let found = 0;
    this.visit(path, (bits, whole) => {
      if (whole) found = bits;
      return 0;
    });
    return found;
  }

  /**
   * Visits each parent directory of the path, then the path itself. Bits that the visitor returns are added to the
   * stored ones.
   */
  visit(path: string, at: Visit): void {
    let [first = 0, second = 0] = this.#start;
    for (let index = 0; index <= path.length; index++) {
      const whole = index === path.length;
      const unit = whole ? 47 : path.charCodeAt(index);
      if (unit === 47) this.#note(mixed(first, second), mixed(second, ~first), whole, at);
      first = Math.imul(first ^ unit, 0x01000193) ^ (first >>> 13);
      second = Math.imul(second ^ unit, 0x85ebca6b) ^ (second >>> 15);
    }
  }

  #note(first: number, second: number, whole: boolean, at: Visit): void {
    const slot = this.#slotOf(first, second);
    const known = this.#bits[slot] ?? 0;
    const bits = known | at(known, whole);
    if (bits === known) return;
    this.#first[slot] = first;
    this.#second[slot] = second;
    this.#bits[slot] = bits;
    if (known === 0 && ++this.#count > this.#bits.length / 2) this.#grow();
  }

  #slotOf(first: number, second: number): number {
    const mask = this.#bits.length - 1;
    let slot = first & mask;
    while (this.#bits[slot] !== 0 && !(this.#first[slot] === first && this.#second[slot] === second))
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [first, second, bits] = [this.#first, this.#second, this.#bits];
    this.#first = new Uint32Array(first.length * 2);
    this.#second = new Uint32Array(first.length * 2);
    this.#bits = new Uint8Array(first.length * 2);
    for (let old = 0; old < bits.length; old++) {
      if (bits[old] === 0) continue;
      const slot = this.#slotOf(first[old] ?? 0, second[old] ?? 0);
      this.#first[slot] = first[old] ?? 0;
      this.#second[slot] = second[old] ?? 0;
      this.#bits[slot] = bits[old] ?? 0;
    }
  }
}

function mixed(state: number, other: number): number {
  let mix = state ^ Math.imul(other, 0x9e3779b1);
  mix = Math.imul(mix ^ (mix >>> 16), 0x7feb352d);
  mix = Math.imul(mix ^ (mix >>> 15), 0x846ca68b);
  return (mix ^ (mix >>> 16)) >>> 0;
}

type Type = ArchiveEntry['type'];

export type StreamMember = Pick<ArchiveEntry, 'path' | 'type' | 'hardLinkTarget'>;

const bits: Record<Type, number> = { directory: 1, file: 2, symlink: 4, other: 8 };
const typeNames: [number, string][] = [
  [bits.directory, 'a directory'],
  [bits.symlink, 'a symlink'],
  [bits.file, 'a file'],
  [bits.other, 'a special file'],
];
/** A symlink that is not restored: paths below it are allowed, but hard links through it are not. */
const symlinkElsewhere = 16;
const anySymlink = bits.symlink | symlinkElsewhere;

/**
 * Checks that the entries of an archive can exist side by side: each path has one type, and only directories contain
 * other entries. Paths are canonical. The returned reasons continue a sentence that begins with the path.
 */
export class ArchiveShape {
  readonly #kinds = new PathKinds();

  /** Returns why the entry conflicts with earlier ones. Null: it does not, and it was added. */
  add(path: string, type: Type): string | null {
    let problem: string | null = null;
    this.#kinds.visit(path, (known, whole) => {
      if (!whole) {
        if (known & ~(bits.directory | symlinkElsewhere)) problem ??= belowA(known);
        return bits.directory;
      }
      problem ??= twoTypes((known & ~symlinkElsewhere) | bits[type]);
      return problem === null ? bits[type] : 0;
    });
    return problem;
  }

  /** Records a symlink that is not restored. */
  addElsewhere(path: string): void {
    this.#kinds.visit(path, (_known, whole) => (whole ? symlinkElsewhere : 0));
  }

  /** Whether an entry that can be hard-linked was added at this path. */
  hasFile(path: string): boolean {
    return (this.#kinds.get(path) & ~(bits.directory | symlinkElsewhere)) !== 0;
  }

  leadsThroughSymlink(path: string): boolean {
    let found = false;
    this.#kinds.visit(path, (known, whole) => {
      found ||= !whole && (known & anySymlink) !== 0;
      return 0;
    });
    return found;
  }

  /**
   * Returns why a member of a tar stream conflicts with earlier ones. Null: it does not, and it was added. Names are
   * as written in the stream.
   */
  take({ path: written, type, hardLinkTarget: source }: StreamMember): string | null {
    const path = canonicalPath(written);
    const problem = problemOfName(written);
    if (problem) return `the path ${problem}`;
    if (path === '') return type === 'directory' ? null : 'it has no name';
    const link = source === null ? null : this.problemOfHardLink(source);
    if (link) return link;
    if (source !== null && !this.hasFile(canonicalPath(source)))
      return 'it is a hard link to a file that was not sent before it';
    return this.add(path, type);
  }

  /** Returns why a hard link to `source`, a path as written, is rejected; otherwise null. */
  problemOfHardLink(source: string): string | null {
    const problem = problemOfName(source);
    if (problem) return `it is a hard link to a path that ${problem}`;
    return this.leadsThroughSymlink(canonicalPath(source)) ? 'it is a hard link through a symlink' : null;
  }
}

const belowA = (known: number): string =>
  `the archive contains it below ${typeNames.find(([bit]) => known & bit && bit !== 1)?.[1]}`;

function twoTypes(all: number): string | null {
  const [one, other] = typeNames.filter(([bit]) => all & bit);
  return one && other ? `the archive contains it as ${one[1]} and as ${other[1]}` : null;
}
