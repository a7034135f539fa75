import { borgReady, prepareBorg } from './borg.mjs';
import { build, buildReady } from './build.mjs';
import { dependenciesReady, installDependencies } from './dependencies.mjs';
import { whileLocked } from './lock.mjs';
import { checkNodeVersion } from './node-version.mjs';

/** In the order of their dependencies. */
const steps = {
  dependencies: { ready: dependenciesReady, prepare: installDependencies },
  build: { ready: buildReady, prepare: build },
  borg: { ready: borgReady, prepare: prepareBorg },
};

/**
 * Prepares what is missing; takes a few milliseconds if nothing is. Only one process at a time does it.
 * @throws PrepareError
 */
export async function prepare(names = Object.keys(steps)) {
  checkNodeVersion();
  if (names.every((name) => steps[name].ready())) return;
  const stop = (signal) => process.exit(signal === 'SIGINT' ? 130 : 143);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await whileLocked(async () => {
      for (const name of names) await steps[name].prepare();
    });
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
