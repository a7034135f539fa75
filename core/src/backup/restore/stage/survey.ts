import { type ArchiveEntry, ArchiveShape, canonicalPath } from '@holdfast/plugin-api/driver';
import { hasUndecodable } from '../../../foundation/kernel/index.js';
import type { CountedOwner } from '../owners.rules.js';
import {
  leavesDestination,
  type RestoreOrder,
  Selection,
  stripped,
  type TargetStamp,
} from '../restore.rules.js';
import { isRefusedName, type Lack } from './lacks.rules.js';
import { SurveyNames } from './survey-names.js';
import {
  below,
  existingAbove,
  identityOf,
  isDenied,
  type PathStats,
  type RestoreTarget,
  stampOf,
} from './target-files.fs.js';

const maxExamples = 20;
const maxOwners = 100;
const maxStamps = 20_000;
/** Each is an argument of the tool. */
const maxOversized = 1_000;

interface Wanted {
  entry: ArchiveEntry;
  target: string;
}

type DirectoryState = 'there' | 'absent' | 'blocked';

const parentPath = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));

/** A count, with the first examples. */
class Tally<T> {
  count = 0;
  readonly examples: T[] = [];
  add(example: T): void {
    this.count += 1;
    if (this.examples.length < maxExamples) this.examples.push(example);
  }
}

/** Calculates the effect of a restore from the archive listing and the target. Writes nothing. */
export class Survey {
  files = 0;
  directories = 0;
  links = 0;
  others = 0;
  bytes = 0;
  /** With what `stripped` counts, which the tool extracts too. */
  extractedBytes = 0;
  /** Files that would take more room than they say: the tool leaves them out. */
  readonly oversized: string[] = [];
  /** Files whose names the target refuses. */
  refusedNames = 0;
  /** Limitations of the target. */
  readonly lacks = new Set<Lack>();
  readonly #withoutCase = new ArchiveShape();
  /** Entries whose path is stripped completely. */
  stripped = 0;
  /** Files that the tool reports as damaged, under each of their names. */
  readonly damaged = new Tally<string>();
  /** Existing files, links and the like in the way of restored ones; `overwrite` replaces them. */
  readonly collisions = new Tally<{ path: string; there: 'file' | 'other' }>();
  /** Those of the collisions that have the size and time of the archive. */
  alike = 0;
  readonly leaving = new Tally<{ path: string; target: string }>();
  /**
   * Conflicts that no option can resolve: a directory that collides with another type, or two entries with
   * the same path.
   */
  readonly blocked = new Tally<{ path: string; reason: string }>();
  readonly #owners = new Map<string, CountedOwner>();
  readonly #stamps: TargetStamp[] = [];
  /** For directories: by their last change, and by inode alone. */
  readonly #directoryStamps = new Map<string, { changes: string | null; identity: string }>();
  /** Directories that receive entries; any other new entry in them may collide. */
  readonly #holders = new Set<string>();
  /** The deepest directory that contains every written path. */
  base: string | null = null;
  /** Existing directories by device. One working folder can serve only one device. */
  readonly devices = new Map<bigint, string>();
  readonly selection: Selection;
  readonly #names = new SurveyNames();
  readonly #firstParts = new Map<string, string>();
  readonly #directories = new Map<string, DirectoryState>();
  readonly #ahead = new Map<string, Promise<PathStats | null>>();

  constructor(
    private readonly order: RestoreOrder,
    private readonly target: RestoreTarget,
  ) {
    this.selection = new Selection(order.paths);
  }

  /** Folders above entries that have no entry themselves. */
  readonly #implied = new Set<string>();
  readonly #folders = new Set<string>();

  /** Whether a folder of the extracted tree was selected itself, and is not merely a parent. */
  isChosen = (path: string): boolean => this.selection.has(path) && !this.#implied.has(path);

  #noteFolders({ type }: ArchiveEntry, path: string): void {
    if (type === 'directory') {
      this.#folders.add(path);
      this.#implied.delete(path);
    }
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (this.#folders.has(folder) || this.#implied.has(folder)) return;
      this.#implied.add(folder);
    }
  }

  /** The tool that lists the entries starts while `lacking` is found out. */
  async addAll(
    entries: AsyncIterable<ArchiveEntry[]>,
    lacking: Promise<Lack[]> = Promise.resolve([]),
  ): Promise<void> {
    const known = lacking.then((lacks) => {
      for (const lack of lacks) this.lacks.add(lack);
    });
    known.catch(() => undefined);
    for await (const batch of entries) {
      await known;
      const wanted = batch.flatMap((entry) => this.#add(entry) ?? []);
      this.#ahead.clear();
      for (const { target } of wanted) void this.#lookAhead(target).catch(() => undefined);
      for (const each of wanted) await this.#compare(each);
    }
    await known;
    for (const rejected of this.#names.rejected()) this.blocked.add(rejected);
  }

  /**
   * True when chosen hard links refer to files that were not chosen. Read the list again with `addUnchosen`
   * then.
   */
  get hasUnchosen(): boolean {
    return this.#names.unchosen().size > 0;
  }

  /**
   * Counts the bytes of those files. A link to a file that is not in the archive could only refer to one on
   * the machine, so it is blocked.
   */
  async addUnchosen(entries: AsyncIterable<ArchiveEntry[]>): Promise<void> {
    const unchosen = this.#names.unchosen();
    for await (const batch of entries) {
      for (const { path, type, size } of batch)
        if (type !== 'directory' && unchosen.delete(canonicalPath(path))) {
          this.bytes += size;
          this.extractedBytes += size;
        }
    }
    const reason = 'it is a hard link to a file that the archive does not have';
    for (const { path } of unchosen.values()) this.blocked.add({ path, reason });
  }

  /** Returns what to compare with its target. */
  #add(entry: ArchiveEntry): Wanted | null {
    const path = canonicalPath(entry.path);
    const damaged = this.#names.isDamaged(entry, path);
    if (path === '' || !this.selection.has(path)) {
      this.#names.pass(entry, path);
      return null;
    }
    const reason = this.#problemOfCase(entry, path) ?? this.#names.add(entry, path);
    if (reason) this.blocked.add({ path: entry.path, reason });
    if (entry.oversized) this.#leaveOut(entry.path);
    else if (entry.type === 'file') this.extractedBytes += entry.size;
    const place = stripped(path, this.order.stripComponents);
    if (place === null) {
      this.stripped += 1;
      return null;
    }
    this.#count(entry);
    if (this.lacks.has('names') && isRefusedName(place)) this.refusedNames += 1;
    this.#noteFolders(entry, path);
    if (damaged) this.damaged.add(place);
    this.#checkMerged(path, place);
    if (
      entry.symlinkTarget !== null &&
      leavesDestination(this.order.destination, place, entry.symlinkTarget)
    ) {
      this.leaving.add({ path: place, target: entry.symlinkTarget });
    }
    return reason ? null : { entry, target: below(this.order.destination, place) };
  }

  /** Where case does not count, the second of two files would replace the first. */
  #problemOfCase({ type }: ArchiveEntry, path: string): string | null {
    if (!this.lacks.has('case') || type === 'directory' || this.#names.hasFile(path)) return null;
    const folded = path.toLowerCase();
    const taken = this.#withoutCase.hasFile(folded);
    this.#withoutCase.add(folded, type);
    return taken ? 'the destination does not distinguish it from another name in upper or lower case' : null;
  }

  #leaveOut(path: string): void {
    if (this.oversized.length < maxOversized) this.oversized.push(path);
    else this.blocked.add({ path, reason: 'the archive has too many files that hold more than it lists' });
  }

  #count({ type, size, user, group, uid = 0, gid = 0 }: ArchiveEntry): void {
    if (type === 'file') this.files += 1;
    else if (type === 'directory') this.directories += 1;
    else if (type === 'symlink') this.links += 1;
    else this.others += 1;
    if (type === 'file') this.bytes += size;
    const key = `${user}:${group}:${uid}:${gid}`;
    const owner = this.#owners.get(key) ?? { user, group, uid, gid, count: 0 };
    owner.count += 1;
    this.#owners.set(key, owner);
  }

  /** The most frequent owners, with the most files first. */
  owners(): CountedOwner[] {
    return [...this.#owners.values()].toSorted((a, b) => b.count - a.count).slice(0, maxOwners);
  }

  /** Trees with different stripped prefixes must not be merged. */
  #checkMerged(path: string, place: string): void {
    if (this.order.stripComponents === 0) return;
    const first = place.split('/', 1)[0] ?? place;
    const prefix = path.slice(0, path.length - place.length);
    const known = this.#firstParts.get(first);
    if (known === undefined) this.#firstParts.set(first, prefix);
    else if (known !== prefix)
      this.blocked.add({ path: place, reason: 'two trees of the archive would be merged here' });
  }

  /** Reads all paths of a batch concurrently, but nothing below a path that is not a directory. */
  #lookAhead(path: string): Promise<PathStats | null> {
    const looked = this.#ahead.get(path) ?? this.#lookBelowDirectory(path);
    this.#ahead.set(path, looked);
    return looked;
  }

  async #lookBelowDirectory(path: string): Promise<PathStats | null> {
    const above = parentPath(path);
    const known = this.#isTop(path) ? 'there' : this.#directories.get(above);
    const isBelow = known ? known === 'there' : (await this.#lookAhead(above))?.isDirectory();
    return isBelow ? this.target.look(path) : null;
  }

  #isTop = (path: string): boolean => path === this.order.destination || path === '/';

  async #compare({ entry, target }: Wanted): Promise<void> {
    const parent = parentPath(target);
    const holder = this.target.reserved.holderOf(target, entry.type === 'directory');
    if (holder) this.blocked.add({ path: target, reason: `it is in ${holder}` });
    this.#widen(entry.type === 'directory' ? target : parent);
    if ((await this.#directory(parent)) !== 'there') return;
    if (entry.type === 'directory') {
      if ((await this.#directory(target)) === 'absent') this.#holders.add(parent);
      return;
    }
    this.#holders.add(parent);
    const there = await this.#look(target);
    if (!there) return;
    this.#stamp(target, stampOf(there));
    if (there.isDirectory())
      this.blocked.add({ path: target, reason: 'a directory is in the way of a file' });
    else {
      this.collisions.add({ path: target, there: there.isFile() ? 'file' : 'other' });
      if (entry.type === 'file' && there.isFile() && isLike(there, entry)) this.alike += 1;
    }
  }

  /** The state of a required directory and of those above it. Each is read once. */
  async #directory(path: string): Promise<DirectoryState> {
    const known = this.#directories.get(path);
    if (known) return known;
    const above = this.#isTop(path) ? 'there' : await this.#directory(parentPath(path));
    const state = above === 'there' ? await this.#lookAtDirectory(path) : above;
    this.#directories.set(path, state);
    return state;
  }

  /** Undefined where the service may not look, which blocks the path. */
  async #look(path: string): Promise<PathStats | null | undefined> {
    try {
      return await (this.#ahead.get(path) ?? this.target.look(path));
    } catch (error) {
      if (!isDenied(error)) throw error;
      const reason = 'Holdfast has no access: change the owner or mode of the folder that contains it';
      this.blocked.add({ path, reason });
      return undefined;
    }
  }

  async #lookAtDirectory(path: string): Promise<DirectoryState> {
    const there = await this.#look(path);
    if (there === undefined) return 'blocked';
    if (!there) return 'absent';
    if (there.isDirectory()) {
      this.#directoryStamps.set(path, { changes: stampOf(there), identity: identityOf(there) });
      this.devices.set(there.dev, path);
      const alias = this.target.reserved.aliasOf(path, identityOf(there));
      if (!alias) return 'there';
      this.blocked.add({ path, reason: `it is ${alias} under another name` });
      return 'blocked';
    }
    this.#stamp(path, stampOf(there));
    const what = there.isSymbolicLink() ? 'a symlink' : 'a file';
    this.blocked.add({ path, reason: `${what} is in the way of a directory` });
    return 'blocked';
  }

  #stamp(path: string, stamp: string | null): void {
    if (this.#stamps.length < maxStamps) this.#stamps.push({ path, stamp });
  }

  /**
   * The target state that must not change before the restore starts. Directories that are merely on the path
   * only have to be the same ones, because other programs use them.
   */
  get stamps(): TargetStamp[] {
    const directories = [...this.#directoryStamps].map(([path, { changes, identity }]) => ({
      path,
      stamp: this.#holders.has(path) ? changes : identity,
    }));
    return [...directories, ...this.#stamps].slice(0, maxStamps);
  }

  #widen(directory: string): void {
    if (this.base === null) this.base = directory;
    while (!(directory === this.base || directory.startsWith(this.base === '/' ? '/' : `${this.base}/`))) {
      this.base = parentPath(this.base);
    }
  }

  /** The parent of the working folder. Call it after all entries were added. Also records its stamp. */
  async stagingParent(): Promise<string> {
    const { destination } = this.order;
    let from = destination === '/' ? (this.base ?? '/') : destination;
    // The tool is started in this directory, and a working directory must be valid text.
    while (hasUndecodable(from)) from = parentPath(from);
    const parent = await existingAbove(this.target, from);
    const stats = await this.target.look(parent);
    if (stats) this.devices.set(stats.dev, parent);
    if (parent !== from) this.#stamp(from, null);
    else if (stats && !this.#directoryStamps.has(parent))
      this.#directoryStamps.set(parent, { changes: stampOf(stats), identity: identityOf(stats) });
    return parent;
  }
}

/** File systems keep times of different precision. */
const isLike = ({ size, mtimeNs }: PathStats, entry: ArchiveEntry): boolean =>
  Number(size) === entry.size && Math.abs(Number(mtimeNs / 1_000_000n) - entry.mtime) <= 1;
