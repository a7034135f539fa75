import { borgReady, prepareBorg } from './borg.mjs';
import { build, buildReady, clientReady, typesReady, writeClient, writeTypes } from './build.mjs';
import { driverReady, prepareDriver } from './driver.mjs';
import { whileLocked } from './lock.mjs';
import { checkNodeVersion } from './node-version.mjs';
import { dependenciesReady, installDependencies, installService, serviceReady } from './packages.mjs';

/**
 * - `service`: the packages that the service needs, and those that build it
 * - `dependencies`: these, and the tools that test and check it
 * - `driver`: the native part of the database driver; comes with both
 * - `build`: what is served
 * - `client`: the types of the interface, in the client; needs `dependencies`
 * - `types`: these, and the type declarations; need `dependencies`
 * - `borg`
 */
const steps = {
  service: { ready: serviceReady, prepare: installService },
  dependencies: { ready: dependenciesReady, prepare: installDependencies },
  driver: { ready: driverReady, prepare: prepareDriver },
  build: { ready: buildReady, prepare: build },
  client: { ready: clientReady, prepare: writeClient },
  types: { ready: typesReady, prepare: writeTypes },
  borg: { ready: borgReady, prepare: prepareBorg },
};
const installations = ['service', 'dependencies'];

/**
 * Prepares what is missing; takes a few milliseconds if nothing is. Only one process at a time does it. Steps that
 * don't need each other run side by side.
 * @throws PrepareError
 */
export async function prepare(asked = ['service', 'build', 'borg']) {
  checkNodeVersion();
  const names = asked.some((name) => installations.includes(name)) ? [...asked, 'driver'] : asked;
  if (names.every((name) => steps[name].ready())) return;
  const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
  const stop = (signal) => process.exit(signals[signal]);
  for (const signal of Object.keys(signals)) process.once(signal, stop);
  try {
    await whileLocked(() => prepareAll(names));
  } finally {
    for (const signal of Object.keys(signals)) process.off(signal, stop);
  }
}

async function prepareAll(names) {
  const only = (...these) =>
    these.filter((name) => names.includes(name)).map((name) => steps[name].prepare());
  const afterInstallation = async () => {
    await allOf(only(names.includes('dependencies') ? 'dependencies' : 'service'));
    await allOf(only('driver', 'build', names.includes('types') ? 'types' : 'client'));
  };
  await allOf([afterInstallation(), ...only('borg')]);
}

/** What goes well is finished also if something else fails: the next run is spared it. */
async function allOf(works) {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}
