import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { waitFor } from './wait-for.js';

const fuse = '/dev/fuse';

/** Why these tests can't mount a file system here, or null. */
export const noFuse =
  process.env.TEST_FILE_SYSTEMS && existsSync(fuse)
    ? null
    : 'mounting a file system needs root and /dev/fuse';

/** A folder that is seen at another place too, until the process that shows it is stopped. */
export class DeadMount {
  /** The processes that asked a silent one for anything. */
  readonly asked = new Set<number>();

  private constructor(
    readonly path: string,
    private readonly server: ChildProcess,
  ) {
    server.stdout?.on('data', (text: Buffer) => {
      for (const [pid] of `${text}`.matchAll(/\d+/g)) this.asked.add(Number(pid));
    });
  }

  static async of(folder: string, path: string): Promise<DeadMount> {
    const options = ['-f', '-o', 'attr_timeout=0,entry_timeout=0', folder, path];
    const server = spawn('bindfs', options, { stdio: 'ignore' });
    await waitFor(() => isMounted(path), { what: 'a mounted folder', intervalMs: 20 });
    return new DeadMount(path, server);
  }

  /** Answers nothing, and whoever already waits for it can't be killed. */
  static async silent(path: string): Promise<DeadMount> {
    const device = openSync(fuse, 'r+');
    const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other';
    execFileSync('mount', ['-i', '-t', 'fuse', '-o', options, 'silent', path], {
      stdio: ['ignore', 'inherit', 'inherit', device],
    });
    const program = fileURLToPath(new URL('silent-mount.mjs', import.meta.url));
    const server = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit', device] });
    closeSync(device);
    await once(server.stdout as NodeJS.EventEmitter, 'data');
    return new DeadMount(path, server);
  }

  /** From now on it hangs. */
  stop(): void {
    this.server.kill('SIGSTOP');
  }

  resume(): void {
    this.server.kill('SIGCONT');
  }

  /** Every call fails at once from now on. */
  async kill(): Promise<void> {
    if (this.server.exitCode !== null || this.server.signalCode !== null) return;
    const ended = once(this.server, 'exit');
    this.server.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    spawnSync('umount', ['-l', this.path]);
  }
}

const isMounted = (path: string): boolean =>
  readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${path} `);
