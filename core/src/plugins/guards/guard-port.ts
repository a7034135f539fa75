import {
  type CacheStore,
  DeliveryError,
  type Log,
  type NotificationTransport,
  type PluginInstance,
  type PluginKind,
  type PortOf,
  type TimerService,
} from '@holdfast/plugin-api';
import { reasonOf, withinTime } from '../../kernel/index.js';
import type { LifecycleMember } from '../plugin-lifecycle.js';
import type { Guarded } from './guarded.js';
import { guardedDriver } from './guarded-driver.js';
import { guardedStorage } from './guarded-storage.js';

type Instance = PluginInstance<PortOf[PluginKind]>;

const guards: { [K in PluginKind]: (port: PortOf[K], guarded: Guarded) => PortOf[K] } = {
  storage: guardedStorage,
  jobs: guardedTimerService,
  cache: quietStore,
  notify: guardedTransport,
  driver: guardedDriver,
};

/**
 * The port of a plugin as the service may use it. What belongs to the product is held to its promises by the suites;
 * an added plugin may throw, hang or answer anything, and the service sees a failure of the port's own kind.
 */
export function guardPort({ manifest, source, plugin }: LifecycleMember, log: Log): Instance {
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

const timerTimes = { answer: 10_000, drainExtra: 2_000 };

/** A lost timer costs a second; one that hangs or throws in the caller's turn would cost more. */
export function guardedTimerService(
  timers: TimerService,
  { name, log }: Guarded,
  times = timerTimes,
): TimerService {
  const bounded = (what: string, ms: number, work: () => Promise<void>) =>
    withinTime(ms, work, () => new Error(`${name} did not answer ${what} within ${ms / 1000} s.`)).catch(
      (error: unknown) => {
        throw error instanceof Error ? error : new Error(`${name} failed: ${reasonOf(error)}.`);
      },
    );
  return {
    set: (key, at) => bounded('set', times.answer, () => timers.set(key, at)),
    clear: (key) => bounded('clear', times.answer, () => timers.clear(key)),
    drain: (ms) => bounded('drain', ms + times.drainExtra, () => timers.drain(ms)),
    onDue(handler) {
      const failed = (error: unknown) =>
        log.error('the timer service takes no handler: jobs begin some seconds later', {
          reason: reasonOf(error),
        });
      const firing = async (key: unknown) => {
        if (typeof key !== 'string') {
          log.warn('a timer without a key is not looked at', { key: typeof key });
          return;
        }
        try {
          await handler(key);
        } catch (error) {
          log.error('a timer could not be dealt with', { key, error });
        }
      };
      try {
        // Not every handler that is set is set at once.
        Promise.resolve(timers.onDue(firing) as unknown).catch(failed);
      } catch (error) {
        failed(error);
      }
    },
  };
}

/** Who calls `send` bounds it in time; here its errors become ones that can be read. */
export function guardedTransport(
  transport: NotificationTransport,
  { name, log }: Guarded,
): NotificationTransport {
  const schemes = [...transport.schemes];
  return {
    schemes,
    check(url) {
      try {
        const fault: unknown = transport.check?.(url);
        if (fault === undefined || fault === null || fault === '') return null;
        if (typeof fault === 'string') return fault;
        Promise.resolve(fault).catch(() => undefined);
        log.warn('a transport gave no answer about a URL', { answer: typeof fault });
        return null;
      } catch (error) {
        return `${name} could not look at the URL: ${reasonOf(error)}.`;
      }
    },
    async send(url, message, options) {
      try {
        await transport.send(url, { ...message }, options);
      } catch (error) {
        throw new DeliveryError(`${reasonOf(error)}.`, { retryable: !isFinal(error) });
      }
    },
  };
}

/** A plugin may carry its own copy of DeliveryError. */
function isFinal(error: unknown): boolean {
  try {
    return (
      (error as { retryable?: unknown } | null | undefined)?.retryable === false && error instanceof Error
    );
  } catch {
    return false;
  }
}

/** Adapters of Keyv tell errors as events, and an event of that name that nobody hears ends the process. */
export function quietStore(store: CacheStore, { name, log }: Guarded): CacheStore {
  const { on } = store as { on?: unknown };
  if (typeof on !== 'function') return store;
  try {
    on.call(store, 'error', (error: unknown) =>
      log.debug('a cache store told an error', { plugin: name, reason: reasonOf(error) }),
    );
  } catch (error) {
    log.warn('the errors of a cache store can not be heard', { plugin: name, reason: reasonOf(error) });
  }
  return store;
}
