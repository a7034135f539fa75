import { withoutDaemons } from '../prepare/no-daemons.mjs';
import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

/** Only the program: tests start their own servers, and end, freeze and fill them. */
export const redis = {
  name: 'Redis (redis-server)',
  neededBy: /TEST_REDIS_SERVER|cache-valkey/,
  variable: 'PATH',
  async prepare() {
    const found = findProgram('redis-server') ?? (await installed());
    return { found, env: { TEST_REDIS_SERVER: found } };
  },
};

async function installed() {
  await withoutDaemons(() =>
    installWithSystem('Redis', {
      'apt-get': ['redis-server'],
      dnf: ['redis'],
      pacman: ['redis'],
      apk: ['redis'],
      zypper: ['redis'],
      brew: ['redis'],
    }),
  );
  const found = findProgram('redis-server');
  if (!found) throw new Error('it was installed but is not on PATH.');
  return found;
}
