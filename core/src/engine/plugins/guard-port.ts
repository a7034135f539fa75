import {
  type CacheStore,
  DeliveryError,
  isStoreError,
  type Log,
  type NotificationTransport,
  type PluginInstance,
  type PluginKind,
  type PortOf,
  type StorageBackend,
  type StorageSession,
  StoreError,
  type TimerService,
} from '@holdfast/plugin-api';
import { reasonOf, wrapSession } from '../../foundation/kernel/index.js';
import { guardedDriver } from './guard-driver.js';
import { call, type Guarded, type Limits, limits, withMethods } from './guarded-calls.js';
import type { LifecycleMember } from './plugin-lifecycle.js';

type Instance = PluginInstance<PortOf[PluginKind]>;

/**
 * An importer runs in another process: see `isolatedImporter`. Callers of the others expect any error, and do not wait
 * for long.
 */
type GuardedKind = Exclude<PluginKind, 'importer' | 'source' | 'sign-in' | 'states'>;
const guards: { [K in GuardedKind]: (port: PortOf[K], guarded: Guarded) => PortOf[K] } = {
  storage: guardedStorage,
  jobs: guardedTimers,
  cache: quietStore,
  notify: guardedTransport,
  driver: guardedDriver,
};

/**
 * Wraps the port of an added plugin: every call has a time limit, and every failure becomes the error of its kind. What
 * the plugin answers is not checked: that is the job of the conformance suite. Built-in plugins are not wrapped.
 */
export function guardPort({ manifest, source, plugin }: LifecycleMember, log: Log): Instance {
  if (source.from === 'built-in') return plugin.instance;
  const known = guardedOnce.get(plugin.instance);
  if (known) return known;
  const guard = guards[manifest.kind as GuardedKind] as (port: Instance, guarded: Guarded) => Instance;
  const guarded = { name: manifest.package, log: log.child({ plugin: manifest.package }) };
  const port = guard(plugin.instance, guarded);
  guardedOnce.set(plugin.instance, port);
  return port;
}

const guardedOnce = new WeakMap<Instance, Instance>();

export function guardedStorage<Storage extends StorageBackend>(
  storage: Storage,
  { name }: Guarded,
  times: Limits = limits,
): Storage {
  const asError = (error: unknown) =>
    isStoreError(error)
      ? error
      : new StoreError('unavailable', `${name} failed: ${reasonOf(error)}.`, { cause: error });
  const ask = <T>(what: string, work: () => Promise<T>) =>
    call({ name, what, ms: times.call, work, asError });
  const session = (inner: StorageSession) => wrapSession(inner, (run, method) => ask(method, run));
  const transaction = async <T>(work: (session: StorageSession) => Promise<T>): Promise<T> => {
    let thrown: { error: unknown } | undefined;
    let over = false;
    const run = async (inner: StorageSession): Promise<T> => {
      try {
        thrown = undefined;
        const result = await work(session(inner));
        if (over) throw new StoreError('unavailable', 'The transaction took too long.');
        return result;
      } catch (error) {
        thrown = { error };
        throw error;
      }
    };
    const parts = { name, what: 'transaction', ms: times.transaction };
    try {
      return await call({
        ...parts,
        work: () => storage.transaction(run),
        asError: (error) => (thrown && !isStoreError(error) ? (thrown.error as Error) : asError(error)),
      });
    } finally {
      // Nobody waits for it any longer: it must not be committed.
      over = true;
    }
  };
  const { changeToken } = storage;
  const read = changeToken && (() => ask('changeToken', () => changeToken.call(storage)));
  return withMethods(storage, { ...session(storage), transaction, ...(read && { changeToken: read }) });
}

/** A lost timer costs a second. A call that hangs or throws synchronously would cost more. */
export function guardedTimers(
  timers: TimerService,
  { name, log }: Guarded,
  times: Limits = limits,
): TimerService {
  const asError = (error: unknown) => new Error(`${name} failed: ${reasonOf(error)}.`, { cause: error });
  const ask = <T>(what: string, ms: number, work: () => Promise<T>) =>
    call({ name, what, ms, work, asError });
  const { ledger } = timers;
  return {
    ledger: ledger && {
      write: (entries) => ask('ledger.write', times.timer, () => ledger.write(entries)),
      read: (series, page) => ask('ledger.read', times.timer, () => ledger.read(series, page)),
      remove: (series, ids) => ask('ledger.remove', times.timer, () => ledger.remove(series, ids)),
    },
    set: (key, at) => ask('set', times.timer, () => timers.set(key, at)),
    clear: (key) => ask('clear', times.timer, () => timers.clear(key)),
    drain: (ms) => ask('drain', ms + times.timer, () => timers.drain(ms)),
    onDue(handler) {
      const handle = async (key: string) => handler(key);
      try {
        timers.onDue((key) =>
          handle(key).catch((error: unknown) => log.error('a timer could not be handled', { key, error })),
        );
      } catch (error) {
        log.error('the timer service accepts no handler: jobs will start some seconds late', { error });
      }
    },
  };
}

/** The caller of `send` applies the timeout. */
export function guardedTransport(transport: NotificationTransport, { name }: Guarded): NotificationTransport {
  return {
    schemes: [...transport.schemes],
    ...(transport.service && { service: transport.service }),
    yields: transport.yields === true,
    check(url) {
      try {
        return transport.check?.(url) || null;
      } catch (error) {
        return `${name} could not check the URL: ${reasonOf(error)}.`;
      }
    },
    async send(url, message, options) {
      try {
        await transport.send(url, { ...message }, options);
      } catch (error) {
        const { retryable, retryAfterMs } = error instanceof Error ? (error as Partial<DeliveryError>) : {};
        throw new DeliveryError(`${reasonOf(error)}.`, {
          retryable: retryable !== false,
          ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
        });
      }
    },
  };
}

/** Keyv adapters report errors as `error` events, and an unhandled one would end the process. */
export function quietStore(store: CacheStore, { name, log }: Guarded): CacheStore {
  store.on?.('error', (error) =>
    log.debug('a cache store reported an error', { plugin: name, reason: reasonOf(error) }),
  );
  return store;
}
