import type { ArchiveEntry } from '../ports/backup-driver.js';
import { canonicalPath } from './archive-path.rules.js';
import { PathKinds } from './path-kinds.rules.js';
import { faultOfName } from './untrusted-name.rules.js';

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
    const fault = faultOfName(written);
    if (fault) return `the path ${fault}`;
    if (path === '') return type === 'directory' ? null : 'it has no name';
    const link = source === null ? null : this.faultOfHardLink(source);
    if (link) return link;
    if (source !== null && !this.hasFile(canonicalPath(source)))
      return 'it is a hard link to a file that was not sent before it';
    return this.add(path, type);
  }

  /** Why a file must not become a further name of another one, or null. The file is as it was written. */
  faultOfHardLink(source: string): string | null {
    const fault = faultOfName(source);
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
