import { randomBytes } from 'node:crypto';
import type { ArchiveEntry } from './backup-driver.js';
import { canonicalPath, problemOfName } from './entry-names.js';

type Visit = (bits: number, whole: boolean) => number;

/**
 * What was noted of paths, as bits, in 20 to 40 bytes for each: there may be millions. Paths are known by 64 bits of a
 * hash with a secret start, so that nobody can write two that are taken for one.
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

  /** Gives each directory above the path, then the path itself; what the visitor returns is noted in addition. */
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
const words: [number, string][] = [
  [bits.directory, 'a directory'],
  [bits.symlink, 'a symlink'],
  [bits.file, 'a file'],
  [bits.other, 'a special file'],
];
/** A symlink that is not brought back: nothing goes through it, but no hard link may be meant to. */
const symlinkElsewhere = 16;
const anySymlink = bits.symlink | symlinkElsewhere;

/**
 * The entries of an archive side by side: each path is one thing, and only directories hold others. Paths are
 * canonical. The reasons continue a sentence that begins with the path.
 */
export class ArchiveShape {
  readonly #kinds = new PathKinds();

  /** Why the entry can't stand beside those added before, or null; then it counts from now on. */
  add(path: string, type: Type): string | null {
    let fault: string | null = null;
    this.#kinds.visit(path, (known, whole) => {
      if (!whole) {
        if (known & ~(bits.directory | symlinkElsewhere)) fault ??= belowA(known);
        return bits.directory;
      }
      fault ??= twoTypes((known & ~symlinkElsewhere) | bits[type]);
      return fault === null ? bits[type] : 0;
    });
    return fault;
  }

  /** Notes a symlink that is not brought back. */
  addElsewhere(path: string): void {
    this.#kinds.visit(path, (_known, whole) => (whole ? symlinkElsewhere : 0));
  }

  /** Whether something that can have a further name was added there. */
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

  /** Why a member of a stream can't stand beside those before it, or null; then it counts. Names are as written. */
  take({ path: written, type, hardLinkTarget: source }: StreamMember): string | null {
    const path = canonicalPath(written);
    const fault = problemOfName(written);
    if (fault) return `the path ${fault}`;
    if (path === '') return type === 'directory' ? null : 'it has no name';
    const link = source === null ? null : this.problemOfHardLink(source);
    if (link) return link;
    if (source !== null && !this.hasFile(canonicalPath(source)))
      return 'it is a hard link to a file that was not sent before it';
    return this.add(path, type);
  }

  /** Why a file must not become a further name of another one, or null. The file is as it was written. */
  problemOfHardLink(source: string): string | null {
    const fault = problemOfName(source);
    if (fault) return `it is a hard link to a path that ${fault}`;
    return this.leadsThroughSymlink(canonicalPath(source)) ? 'it is a hard link through a symlink' : null;
  }
}

const belowA = (known: number): string =>
  `the archive has it below ${words.find(([bit]) => known & bit && bit !== 1)?.[1]}`;

function twoTypes(all: number): string | null {
  const [one, other] = words.filter(([bit]) => all & bit);
  return one && other ? `the archive has it as ${one[1]} and as ${other[1]}` : null;
}
