import type { PluginInstance, PluginKind, PortOf } from '../../ports/plugin.js';
import type { Log } from '../../ports/services.js';
import type { CrewMember } from '../plugin-crew.js';
import type { Guarded } from './guarded.js';
import { guardedAlarmClock } from './guarded-alarm-clock.js';
import { guardedDriver } from './guarded-driver.js';
import { guardedStorage } from './guarded-storage.js';
import { guardedTransport } from './guarded-transport.js';
import { quietStore } from './quiet-store.js';

type Instance = PluginInstance<PortOf[PluginKind]>;

const guards: { [K in PluginKind]: (port: PortOf[K], guarded: Guarded) => PortOf[K] } = {
  storage: guardedStorage,
  jobs: guardedAlarmClock,
  cache: quietStore,
  notify: guardedTransport,
  driver: guardedDriver,
};

/**
 * The port of a plugin as the service may use it. What belongs to the product is held to its promises by the suites;
 * an added plugin may throw, hang or answer anything, and the service sees a failure of the port's own kind.
 */
export function guardPort({ manifest, source, plugin }: CrewMember, log: Log): Instance {
  if (source.from === 'built-in') return plugin.instance;
  const guard = guards[manifest.kind] as (port: Instance, guarded: Guarded) => Instance;
  const known = guardedOnce.get(plugin.instance);
  if (known) return known;
  const port = guard(plugin.instance, {
    name: manifest.package,
    log: log.child({ plugin: manifest.package }),
  });
  guardedOnce.set(plugin.instance, port);
  return port;
}

const guardedOnce = new WeakMap<Instance, Instance>();
