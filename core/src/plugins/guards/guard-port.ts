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
 * Wraps the port of an added plugin so that the service can rely on it: the plugin may throw, hang or answer
 * anything, and the service sees an error that the port defines. Built-in plugins are not wrapped, because the
 * conformance suites cover them.
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

/** A lost timer costs a second. A call that hangs or throws synchronously would cost more. */
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
        log.error('the timer service accepts no handler: jobs will start some seconds late', {
          reason: reasonOf(error),
        });
      const firing = async (key: unknown) => {
        if (typeof key !== 'string') {
          log.warn('a timer without a key was ignored', { key: typeof key });
          return;
        }
        try {
          await handler(key);
        } catch (error) {
          log.error('a timer could not be handled', { key, error });
        }
      };
      try {
        // A plugin may register the handler asynchronously.
        Promise.resolve(timers.onDue(firing) as unknown).catch(failed);
      } catch (error) {
        failed(error);
      }
    },
  };
}

/** Turns errors of a transport into readable DeliveryErrors. The caller of `send` applies the timeout. */
export function guardedTransport(
  transport: NotificationTransport,
  { name, log }: Guarded,
): NotificationTransport {
  const schemes = [...transport.schemes];
  return {
    schemes,
    check(url) {
      try {
        const problem: unknown = transport.check?.(url);
        if (problem === undefined || problem === null || problem === '') return null;
        if (typeof problem === 'string') return problem;
        Promise.resolve(problem).catch(() => undefined);
        log.warn('a transport gave an invalid answer about a URL', { answer: typeof problem });
        return null;
      } catch (error) {
        return `${name} could not check the URL: ${reasonOf(error)}.`;
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

/** Keyv adapters report errors as `error` events, and an unhandled one would end the process. */
export function quietStore(store: CacheStore, { name, log }: Guarded): CacheStore {
  const { on } = store as { on?: unknown };
  if (typeof on !== 'function') return store;
  try {
    on.call(store, 'error', (error: unknown) =>
      log.debug('a cache store reported an error', { plugin: name, reason: reasonOf(error) }),
    );
  } catch (error) {
    log.warn('no error handler could be added to a cache store', { plugin: name, reason: reasonOf(error) });
  }
  return store;
}
