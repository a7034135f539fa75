import type { BigIntStats, Dirent } from 'node:fs';
import { constants } from 'node:fs';
import { bytesOfName, nameOfBytes } from '@holdfast/plugin-api/driver';
import { chmod, type HeldFile, lstat, open, readdir } from '@holdfast/plugin-api/files';

/**
 * `O_PATH` on Linux, for which Node.js has no constant. It also works for folders without read permission.
 */
const onlyHold = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW } = constants;
const isLinux = process.platform === 'linux';
const slash = Buffer.from('/');

/** Segments such as `..` lead out of the folder. */
const leadsElsewhere = /(^|\/)\.{0,2}(\/|$)/;

export type NamedEntry = Pick<Dirent, 'isDirectory'> & { name: string };

/**
 * An open directory that stays the same when its path changes. On systems other than Linux it is only a path.
 */
export class Folder {
  private constructor(
    /** Valid while this is open, for every process of the same user. */
    readonly path: string,
    private readonly handle: HeldFile | null,
  ) {}

  /** Opens a path that other users cannot change. */
  static held(path: string): Promise<Folder> {
    return hold(bytesOfName(path), path, 0);
  }

  /** Opens an absolute path without following symlinks. Rejects with `ENOTDIR` at a symlink. */
  static async open(path: string): Promise<Folder> {
    const folders = new Folders(await Folder.held('/'));
    try {
      return await folders.take(path.slice(1));
    } finally {
      await folders.close();
    }
  }

  /**
   * The path of an entry, for calls that don't follow symlinks. Throws `ENOTDIR` for segments such as `..`.
   */
  at(name: string): Buffer {
    if (leadsElsewhere.test(name)) throw Object.assign(new Error('not an entry'), { code: 'ENOTDIR' });
    return Buffer.concat([Buffer.from(this.path), slash, bytesOfName(name)]);
  }

  async sub(name: string): Promise<Folder> {
    return hold(this.at(name), this.path === '/' ? `/${name}` : `${this.path}/${name}`, O_NOFOLLOW);
  }

  /** Null if it does not exist. */
  async look(name: string): Promise<BigIntStats | null> {
    return lstat(this.at(name), { bigint: true }).catch(unlessMissing);
  }

  stat(): Promise<BigIntStats> {
    return this.handle ? this.handle.stat({ bigint: true }) : lstat(bytesOfName(this.path), { bigint: true });
  }

  chmod(mode: number): Promise<void> {
    return chmod(bytesOfName(this.path), mode);
  }

  async entries(): Promise<NamedEntry[]> {
    const entries = await readdir(bytesOfName(this.path), { withFileTypes: true, encoding: 'buffer' });
    return entries.map((entry) => ({
      name: nameOfBytes(entry.name),
      isDirectory: () => entry.isDirectory(),
    }));
  }

  async close(): Promise<void> {
    await this.handle?.close();
  }

  /** @internal */
  static of(path: string, handle: HeldFile | null): Folder {
    return new Folder(path, handle);
  }
}

/** Null for a missing path, or one below something that isn't a directory. */
export function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP') return null;
  throw error;
}

async function hold(place: Buffer, path: string, flags: number): Promise<Folder> {
  if (!isLinux) return Folder.of(path, null);
  const handle = await open(place, onlyHold | O_DIRECTORY | flags);
  return Folder.of(handle.place, handle);
}

/**
 * Opens folders below a top folder, which it closes with itself. The folders on the way to the last one stay
 * open for the next call.
 */
export class Folders {
  readonly #names: string[] = [];
  readonly #open: Folder[];

  constructor(top: Folder) {
    this.#open = [top];
  }

  /** Opens a relative path, which stays open until the next call. */
  async at(path: string): Promise<Folder> {
    const names = path.split('/').filter((name) => name !== '');
    let same = 0;
    while (same < this.#names.length && this.#names[same] === names[same]) same += 1;
    await this.#closeTo(same);
    for (const name of names.slice(same)) {
      this.#open.push(await this.#last.sub(name));
      this.#names.push(name);
    }
    return this.#last;
  }

  /** Opens a relative path, which the caller closes. */
  async take(path: string): Promise<Folder> {
    await this.at(path);
    this.#names.pop();
    return this.#open.pop() as Folder;
  }

  async close(): Promise<void> {
    await this.#closeTo(0);
    await this.#open.pop()?.close();
  }

  get #last(): Folder {
    return this.#open.at(-1) as Folder;
  }

  async #closeTo(count: number): Promise<void> {
    this.#names.length = count;
    while (this.#open.length > count + 1) await this.#open.pop()?.close();
  }
}
