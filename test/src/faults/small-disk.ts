import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Database } from '../store/database.js';

const askSqlite = fileURLToPath(new URL('ask-sqlite.mjs', import.meta.url));

const own = process.getuid?.() === 0 ? [] : ['--user'];
const unshare = ['--mount', ...(own.length > 0 ? ['--user', '--map-root-user'] : [])];

/** Why these tests can't mount a file system here, or null. */
export const noMounts: string | null = (() => {
  const tried = spawnSync('unshare', [...unshare, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], {
    encoding: 'utf8',
  });
  return tried.status === 0 ? null : `no file system can be mounted here: ${tried.error ?? tried.stderr}`;
})();

/**
 * A small file system that lives in memory. Only what runs through `wrapper` sees it at its path; it outlives those
 * processes, and goes with the one that keeps it.
 */
export class SmallDisk {
  private constructor(
    readonly path: string,
    readonly keeper: ChildProcess,
  ) {}

  static async mount(path: string, megabytes: number): Promise<SmallDisk> {
    const script = `mount -t tmpfs -o size=${megabytes}m,mode=755 tmpfs "$1" && echo there && exec sleep infinity`;
    const keeper = spawn('unshare', [...unshare, 'sh', '-c', script, 'sh', path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await Promise.race([once(keeper.stdout as NodeJS.EventEmitter, 'data'), once(keeper, 'exit')]);
    if (keeper.exitCode !== null) throw new Error(`the small disk was not mounted (${keeper.exitCode})`);
    return new SmallDisk(path, keeper);
  }

  /** A command that runs another one, its last arguments, where the disk is seen. */
  get wrapper(): string[] {
    const into = own.length > 0 ? ['--user', '--preserve-credentials'] : [];
    return ['nsenter', `--target=${this.keeper.pid}`, '--mount', ...into, '--'];
  }

  /** The same disk as everybody sees it. */
  get seen(): string {
    return `/proc/${this.keeper.pid}/root${this.path}`;
  }

  /** Uses every byte that is left. */
  fill(): void {
    const file = openSync(join(this.seen, 'filler'), 'a');
    try {
      for (const size of [1 << 20, 1 << 12]) {
        const block = Buffer.alloc(size);
        while (hasRoomFor(file, block));
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.seen, 'filler'));
  }

  /** `ro`: nobody may write any more. Fails while somebody has a file open to write. `size=9m`: has another size. */
  remount(option: 'ro' | 'rw' | `size=${number}m`): void {
    const [program = '', ...words] = this.wrapper;
    execFileSync(program, [...words, 'mount', '-o', `remount,${option}`, this.path]);
  }

  /** A database on this disk. SQLite itself follows every link, so it is not opened at the place where all see it. */
  database(file: string): Pick<Database, 'all'> {
    const [program = '', ...words] = this.wrapper;
    return {
      async all<T>(sql: string) {
        const asked = [...words, process.execPath, askSqlite, file, sql];
        const { stdout } = await promisify(execFile)(program, asked, { maxBuffer: 1 << 26 });
        return JSON.parse(stdout) as T[];
      },
    };
  }

  async remove(): Promise<void> {
    if (this.keeper.exitCode !== null) return;
    const ended = once(this.keeper, 'exit');
    this.keeper.kill('SIGKILL');
    await ended;
  }
}

function hasRoomFor(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) === block.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
