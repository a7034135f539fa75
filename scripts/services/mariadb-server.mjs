import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, chmodSync, chownSync, constants, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, OwnServer } from './own-server.mjs';

/** It refuses to run as root, so it then runs as `nobody`, which exists on every Linux. */
const nobody = 65534;

/** In memory if the machine has such a folder: each table and index waits for the disk several times. */
function quickFolder() {
  try {
    accessSync('/dev/shm', constants.W_OK);
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 2 ** 30 ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** A separate MariaDB server on a free port of 127.0.0.1, with its data in a folder that is removed with it. */
export class MariadbServer extends OwnServer {
  #password = randomBytes(16).toString('hex');

  constructor(program, port) {
    super(program, 'holdfast-mariadb-', { within: quickFolder() });
    this.port = port;
    this.owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  }

  /** Resolves when it accepts connections. @param {{ server: string, install: string }} programs */
  static async start(programs) {
    const server = new MariadbServer(programs.server, await freePort());
    try {
      server.#initialise(programs.install);
      await server.#launch();
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  /** For a user with all privileges. */
  get url() {
    return `mariadb://tests:${this.#password}@127.0.0.1:${this.port}`;
  }

  #initialise(install) {
    const { uid, gid } = this.owner;
    if (uid !== undefined) chownSync(this.folder, uid, gid);
    chmodSync(this.folder, 0o755);
    const choices = ['--no-defaults', `--datadir=${join(this.folder, 'data')}`, '--skip-test-db'];
    const how = { ...this.owner, cwd: this.folder, encoding: 'utf8' };
    const { status, stdout, stderr, error } = spawnSync(
      install,
      [...choices, '--auth-root-authentication-method=normal'],
      how,
    );
    if (status !== 0) throw new Error(`mariadb-install-db: ${error?.message ?? (stderr || stdout)}`);
  }

  async #launch() {
    // Read at the start, so no client program is needed and the password is in no argument.
    const first = join(this.folder, 'first.sql');
    writeFileSync(
      first,
      `CREATE USER tests@'127.0.0.1' IDENTIFIED BY '${this.#password}';\n` +
        "GRANT ALL ON *.* TO tests@'127.0.0.1' WITH GRANT OPTION;\n",
      { mode: 0o600 },
    );
    const { uid, gid } = this.owner;
    if (uid !== undefined) chownSync(first, uid, gid);
    const place = [`--datadir=${join(this.folder, 'data')}`, `--socket=${join(this.folder, 'socket')}`];
    const network = ['--bind-address=127.0.0.1', `--port=${this.port}`, '--skip-name-resolve'];
    const quick = [
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=64M',
      '--skip-log-bin',
      '--skip-innodb-doublewrite',
    ];
    const args = ['--no-defaults', ...place, ...network, ...quick, `--init-file=${first}`];
    await this.run(args, {
      isReady: () => this.output.includes('ready for connections'),
      withinMs: 60_000,
      options: { ...this.owner, cwd: this.folder },
    });
  }
}
