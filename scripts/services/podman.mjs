import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';
import { OwnServer } from './own-server.mjs';

/** Runs containers; each test has an engine of its own. */
export const podman = {
  name: 'Podman',
  neededBy: /PodmanEngine/,
  variable: 'PATH',
  async prepare() {
    if (!find())
      await installWithSystem('Podman', {
        'apt-get': ['podman', 'runc'],
        ...Object.fromEntries(
          ['dnf', 'pacman', 'apk', 'zypper', 'brew'].map((tool) => [tool, ['podman', 'runc']]),
        ),
      });
    const found = find();
    if (!found) throw new Error('it was installed but is not on PATH.');
    return { found, env: {} };
  },
};

const find = () => findProgram('runc') && findProgram('podman');

/** What a container gets from this machine instead of an image, which nobody has to download then. */
const system = ['/usr', '/bin', '/lib', '/lib64', '/sbin', '/etc'].filter((path) => existsSync(path));
const emptyFolders = [
  'usr',
  'bin',
  'lib',
  'lib64',
  'sbin',
  'etc',
  'tmp',
  'var/lib',
  'var/tmp',
  'run',
  'proc',
  'sys',
  'dev',
  'root',
  'data',
];

/** Containers, volumes and an API socket of its own, in a folder that is removed with them. */
export class PodmanEngine extends OwnServer {
  static async start() {
    // Podman takes no more than 50 characters for the path of its `runroot`.
    const engine = new PodmanEngine(findProgram('podman'), 'podman-');
    try {
      const image = join(engine.folder, 'image');
      for (const folder of emptyFolders) mkdirSync(join(image, folder), { recursive: true });
      execFileSync('tar', ['-cf', `${image}.tar`, '-C', image, '.']);
      engine.podman('import', `${image}.tar`, 'bare');
      await engine.run([...engine.#place, 'system', 'service', '--time=0', `unix://${engine.socket}`], {
        isReady: () => existsSync(engine.socket),
        withinMs: 30_000,
      });
      return engine;
    } catch (error) {
      await engine.remove();
      throw error;
    }
  }

  get socket() {
    return join(this.folder, 'api.sock');
  }

  /** For machines with hybrid control groups, and without the network of another engine. */
  get #place() {
    const folders = ['root', 'runroot', 'tmpdir'].map((name) => `--${name}=${join(this.folder, name)}`);
    const how = [
      '--cgroup-manager=cgroupfs',
      '--runtime=runc',
      '--storage-driver=vfs',
      '--events-backend=none',
    ];
    return [...how, ...folders];
  }

  /** Returns what it prints. */
  podman(...words) {
    return execFileSync(this.program, [...this.#place, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  /**
   * Starts a container with the programs of this machine.
   * @param {string} name
   * @param {{ options?: string[], image?: string, command: string[] }} what options of `podman run`, such as volumes and
   *   labels; the name of an image
   */
  container(name, { options = [], image = 'bare', command }) {
    if (image !== 'bare') this.podman('tag', 'bare', image);
    const limits = ['nofile=1024:1024', 'nproc=1024:1024'].flatMap((limit) => ['--ulimit', limit]);
    const programs = system.flatMap((path) => ['-v', `${path}:${path}:ro`]);
    const words = ['run', '--detach', '--network=none', '--name', name, ...limits, ...programs, ...options];
    return this.podman(...words, image, ...command);
  }

  /** Monitors of containers clean up in processes of their own, which would write while the folder is removed. */
  endAtOnce() {
    try {
      this.podman('rm', '--all', '--force', '--time=0');
    } finally {
      super.endAtOnce();
      while (this.#endProcesses());
    }
  }

  /** Kills what names its folder. Returns whether there was something. */
  #endProcesses() {
    let found = false;
    for (const pid of readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)) {
      try {
        if (pid === process.pid || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.folder))
          continue;
        process.kill(pid, 'SIGKILL');
        found = true;
      } catch {} // It ended meanwhile.
    }
    return found;
  }
}
