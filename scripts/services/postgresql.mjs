import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutDaemons } from '../prepare/no-daemons.mjs';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';
import { PostgresServer } from './postgres-server.mjs';

/** Debian puts each version's programs into a separate folder outside PATH. */
const debianFolder = '/usr/lib/postgresql';

/** One server for all tests, each with its own databases; tests of faults start more. */
export const postgresql = {
  name: 'PostgreSQL (initdb, postgres, psql)',
  neededBy: /TEST_POSTGRES_|jobs-postgres/,
  variable: `PATH and ${debianFolder}/*/bin`,
  async prepare() {
    const programs = find() ?? (await installed());
    const server = await PostgresServer.start(programs);
    return {
      found: programs,
      env: { TEST_POSTGRES_PROGRAMS: programs, TEST_POSTGRES_URL: server.url() },
      stop: () => server.remove(),
    };
  },
};

/** The folder with the programs of the newest version. */
function find() {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const places = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(debianFolder, version, 'bin'));
  const onPath = findProgram('postgres');
  if (onPath) places.unshift(dirname(realpathSync(onPath)));
  return places.find((place) =>
    ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(place, name))),
  );
}

async function installed() {
  await withoutDaemons(() =>
    installWithSystem('PostgreSQL', {
      'apt-get': ['postgresql'],
      dnf: ['postgresql-server', 'postgresql'],
      pacman: ['postgresql'],
      apk: ['postgresql', 'postgresql-client'],
      zypper: ['postgresql-server', 'postgresql'],
      brew: ['postgresql'],
    }),
  );
  const found = find();
  if (!found) throw new Error('it was installed but cannot be found.');
  return found;
}
