import { withoutDaemons } from '../prepare/no-daemons.mjs';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';
import { MariadbServer } from './mariadb-server.mjs';

/** One server for the example of a MariaDB storage and for dumps. */
export const mariadb = {
  name: 'MariaDB (mariadbd, mariadb-install-db)',
  neededBy: /TEST_MARIADB_URL|storage-mariadb/,
  variable: 'PATH',
  async prepare() {
    const programs = find() ?? (await installed());
    const server = await MariadbServer.start(programs);
    return {
      found: programs.server,
      env: { TEST_MARIADB_URL: server.url },
      stop: () => server.remove(),
    };
  },
};

function find() {
  const server = findProgram('mariadbd') ?? findProgram('/usr/sbin/mariadbd');
  const install = findProgram('my_print_defaults') && findProgram('mariadb-install-db');
  return server && install && findProgram('mariadb-dump') ? { server, install } : null;
}

/** Debian's packages with only the programs, which create no system service. */
async function installed() {
  await withoutDaemons(() =>
    installWithSystem('MariaDB', {
      'apt-get': ['mariadb-server-core', 'mariadb-client'],
      dnf: ['mariadb-server'],
      pacman: ['mariadb'],
      apk: ['mariadb'],
      zypper: ['mariadb'],
      brew: ['mariadb'],
    }),
  );
  const found = find();
  if (!found) throw new Error('it was installed but is not on PATH.');
  return found;
}
