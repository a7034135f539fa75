import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutDaemons } from '../prepare/no-daemons.mjs';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';
import { freePort, OwnServer } from './own-server.mjs';

/** A pooler in front of PostgreSQL. */
export const pgbouncer = {
  name: 'pgbouncer',
  neededBy: /HOLDFAST_PGBOUNCER/,
  variable: 'HOLDFAST_PGBOUNCER',
  async prepare() {
    let found = process.env.HOLDFAST_PGBOUNCER || findProgram('pgbouncer');
    if (!found) {
      const packages = ['apt-get', 'dnf', 'pacman', 'apk', 'zypper', 'brew'].map((tool) => [
        tool,
        ['pgbouncer'],
      ]);
      await withoutDaemons(() => installWithSystem('pgbouncer', Object.fromEntries(packages)));
      found = findProgram('pgbouncer');
    }
    if (!found) throw new Error('it was installed but is not on PATH.');
    return { found, env: { HOLDFAST_PGBOUNCER: found } };
  },
};

/** It refuses to run as root. */
const nobody = 65534;

export class PgBouncer extends OwnServer {
  port = 0;

  /**
   * @param {URL} server the PostgreSQL behind it
   * @param {'session' | 'transaction' | 'statement'} mode
   */
  static async start(server, mode) {
    const bouncer = new PgBouncer(process.env.HOLDFAST_PGBOUNCER, 'holdfast-pgbouncer-');
    const port = await freePort();
    const file = join(bouncer.folder, 'pgbouncer.ini');
    const password = decodeURIComponent(server.password);
    const lines = [
      '[databases]',
      `* = host=${server.hostname} port=${server.port} user=${server.username} password='${password}'`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
      ...[`pool_mode = ${mode}`, 'default_pool_size = 20', 'ignore_startup_parameters = extra_float_digits'],
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
    if (owner.uid) for (const path of [bouncer.folder, file]) chownSync(path, nobody, nobody);
    bouncer.port = port;
    try {
      await bouncer.run([file], {
        isReady: () => bouncer.output.includes('process up'),
        withinMs: 30_000,
        options: { ...owner, cwd: bouncer.folder },
      });
      return bouncer;
    } catch (error) {
      await bouncer.remove();
      throw error;
    }
  }
}
