import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { freePort, OwnServer } from './own-server.mjs';
import { stopProcess } from './stop-process.mjs';

/** PostgreSQL refuses to run as root: Debian's user for it, otherwise `nobody`, which exists on every Linux. */
const nobody = 65534;
const password = 'of-the-tests';

/**
 * A separate PostgreSQL server on a free port of 127.0.0.1 and a socket, with its data in a folder that is removed
 * with it.
 */
export class PostgresServer extends OwnServer {
  #programs;

  constructor(programs, port, settings) {
    // SIGQUIT ends its processes at once, without the traces of SIGKILL.
    super(join(programs, 'postgres'), 'holdfast-postgres-', { atOnce: 'SIGQUIT' });
    this.#programs = programs;
    this.port = port;
    this.settings = settings;
    this.owner = process.getuid?.() === 0 ? postgresUser() : {};
  }

  /**
   * Resolves when it accepts connections.
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

  /** For the superuser. */
  url(database = 'postgres', { user = 'postgres', password: its = password } = {}) {
    return `postgres://${user}:${encodeURIComponent(its)}@127.0.0.1:${this.port}/${database}`;
  }

  get socketFolder() {
    return join(this.folder, 'socket');
  }

  /** Runs SQL as the superuser with psql, which is not a library of the service. Resolves to unaligned rows. */
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

  /** Starts it, or restarts it with the same port and data. */
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
    await this.run(['-D', join(this.folder, 'data'), ...settings], {
      isReady: () => this.output.includes('is ready to accept connections'),
      withinMs: 30_000,
      options: { ...this.owner, cwd: this.folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } },
    });
  }

  /** Also signals its processes: if only the postmaster is stopped, those of open connections keep working. */
  signal(name) {
    for (const pid of this.#all()) {
      try {
        process.kill(pid, name);
      } catch {
        // Ended in the meantime.
      }
    }
  }

  /** First the postmaster, which would start others. */
  async freeze() {
    for (const pid of this.#all().toReversed()) await stopProcess(pid).catch(() => undefined);
  }

  #all() {
    return this.pid ? [...this.#backends(), this.pid] : [];
  }

  /** Ends it at once with all connections and keeps the data. */
  stop(signal = 'SIGINT') {
    return super.stop(signal);
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
}

/** The user of the package if it exists, so that `ps` shows the owner. */
function postgresUser() {
  const home = '/var/lib/postgresql';
  if (!existsSync(home)) return { uid: nobody, gid: nobody };
  const { uid, gid } = statSync(home);
  return uid === 0 ? { uid: nobody, gid: nobody } : { uid, gid };
}
