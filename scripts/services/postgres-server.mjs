import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** PostgreSQL refuses to run as root: Debian's user of it, else `nobody`, whom every Linux has. */
const nobody = 65534;
const password = 'of-the-tests';

/** A PostgreSQL server of our own on a free port of 127.0.0.1 and a socket, with its data in a folder that goes with it. */
export class PostgresServer {
  #child;
  #output = '';
  #programs;

  constructor(programs, port, settings) {
    this.#programs = programs;
    this.port = port;
    this.settings = settings;
    this.folder = mkdtempSync(join(tmpdir(), 'holdfast-postgres-'));
    this.owner = process.getuid?.() === 0 ? postgresUser() : {};
    process.on('exit', this.#leave);
  }

  /**
   * Resolves when it takes connections.
   * @param {string} programs the folder of `initdb` and `postgres`
   * @param {{ settings?: Record<string, string | number> }} options durable only with `fsync: 'on'`
   */
  static async start(programs, { settings = {} } = {}) {
    const server = new PostgresServer(programs, await freePort(), settings);
    try {
      server.#initialise();
      await server.launch();
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  /** Of the superuser. */
  url(database = 'postgres', { user = 'postgres', password: its = password } = {}) {
    return `postgres://${user}:${encodeURIComponent(its)}@127.0.0.1:${this.port}/${database}`;
  }

  get socketFolder() {
    return join(this.folder, 'socket');
  }

  get pid() {
    return this.#child?.pid;
  }

  get output() {
    return this.#output;
  }

  /** Runs SQL as the superuser by psql, which is no library of the service. Resolves to unaligned rows. */
  sql(text, database = 'postgres') {
    const psql = join(this.#programs, 'psql');
    const options = [
      '-X',
      '-A',
      '-t',
      '-q',
      '-v',
      'ON_ERROR_STOP=1',
      '-h',
      this.socketFolder,
      '-p',
      `${this.port}`,
    ];
    const { status, stdout, stderr } = spawnSync(psql, [...options, '-U', 'postgres', '-d', database], {
      input: text,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`psql: ${stderr}`);
    return stdout.trimEnd();
  }

  /** Starts it, or starts it again on the same port and data. */
  async launch() {
    const settings = Object.entries({
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: this.socketFolder,
      max_connections: 400,
      shared_buffers: '64MB',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      ...this.settings,
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(this.#programs, 'postgres'), ['-D', join(this.folder, 'data'), ...settings], {
      ...this.owner,
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    });
    this.#child = child;
    let fresh = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      fresh = (fresh + text).slice(-4000);
      this.#output = (this.#output + text).slice(-20_000);
    });
    const deadline = Date.now() + 30_000;
    while (!fresh.includes('is ready to accept connections')) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`postgres ended at once:\n${this.#output}`);
      }
      if (Date.now() > deadline) throw new Error(`postgres does not answer:\n${this.#output}`);
      await pause(20);
    }
  }

  /** Also to its processes: a stopped postmaster alone leaves those of open connections at work. */
  signal(name) {
    const pids = this.pid ? [...this.#backends(), this.pid] : [];
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // Ended meanwhile.
      }
    }
  }

  /** Ends it; the data stay. SIGINT: at once with all connections; SIGQUIT: as in a crash, without SIGKILL's traces. */
  async stop(signal = 'SIGINT') {
    const child = this.#child;
    this.#child = undefined;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }

  async remove() {
    await this.stop('SIGQUIT');
    this.#leave();
    process.off('exit', this.#leave);
  }

  #initialise() {
    mkdirSync(this.socketFolder);
    const passwordFile = join(this.folder, 'password');
    writeFileSync(passwordFile, password);
    const { uid, gid } = this.owner;
    if (uid !== undefined)
      for (const path of [this.folder, this.socketFolder, passwordFile]) chownSync(path, uid, gid);
    chmodSync(this.folder, 0o755);
    const choices = ['--no-sync', '--encoding=UTF8', '--locale=C.UTF-8', '--username=postgres'];
    const access = ['--auth-host=scram-sha-256', '--auth-local=trust', `--pwfile=${passwordFile}`];
    const { status, stderr, error } = spawnSync(
      join(this.#programs, 'initdb'),
      ['-D', join(this.folder, 'data'), ...choices, ...access],
      { ...this.owner, cwd: this.folder, encoding: 'utf8' },
    );
    rmSync(passwordFile);
    if (status !== 0) throw new Error(`initdb: ${stderr ?? error?.message}`);
  }

  #backends() {
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8');
    return children.split(' ').map(Number).filter(Boolean);
  }

  #leave = () => {
    // SIGQUIT: it ends its own processes at once.
    this.#child?.kill('SIGCONT');
    this.#child?.kill('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  };
}

/** The user of the package where there is one: then `ps` shows whose it is. */
function postgresUser() {
  const home = '/var/lib/postgresql';
  if (!existsSync(home)) return { uid: nobody, gid: nobody };
  const { uid, gid } = statSync(home);
  return uid === 0 ? { uid: nobody, gid: nobody } : { uid, gid };
}

/** Free a moment ago; PostgreSQL does not choose one itself. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
