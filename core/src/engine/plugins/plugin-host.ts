import type {
  CacheStore,
  NotificationTransport,
  PluginInstance,
  PluginKind,
  PortOf,
  SignInProvider,
  StatePublisher,
} from '@holdfast/plugin-api';
import type { Source } from '@holdfast/plugin-api/source';
import { type CacheOpener, makeCacheOpener, type OpenedCache } from './cache-opener.js';
import { guardPort } from './guard-port.js';
import { type IsolatedImporter, isolatedImporter, type OpenImporter } from './isolated-importer.js';
import {
  choosePlugins,
  type InstalledPlugin,
  type PluginPackages,
  type PluginPreferences,
  readInstalled,
  type SelectedKind,
} from './plugin-choice.js';
import { describePlugins, type PluginDescription } from './plugin-description.js';
import { type LifecycleMember, PluginLifecycle } from './plugin-lifecycle.js';
import {
  addedPluginTimes,
  healthOf,
  type PluginEnvironment,
  type PluginTimes,
  pluginTimes,
} from './plugin-loader.fs.js';
import type { PluginError } from './plugin-step.js';

export type { PluginSelection } from './plugin-choice.js';
export type { PluginDescription } from './plugin-description.js';

export interface PluginHostOptions
  extends Omit<PluginEnvironment, 'times'>,
    PluginPackages,
    PluginPreferences {
  openImporter: OpenImporter;
  /** Overrides `pluginTimes` and `addedPluginTimes`. */
  times?: Partial<PluginTimes>;
}

type SelectedPorts = { [K in SelectedKind]: PluginInstance<PortOf[K]> };

/** A source, with the id by which settings name it. */
export interface LoadedSource {
  id: string;
  source: Source;
}

/** With the id that addresses and identities contain. */
export interface LoadedSignIn {
  id: string;
  provider: SignInProvider;
}

/** An added cache store that all instances share. */
export interface SharedCache {
  id: string;
  store: CacheStore;
  health(): Promise<string | null>;
}

export interface PluginHost {
  /** The ports after `start`, without optional plugins that failed. */
  readonly ports: SelectedPorts & {
    notify: NotificationTransport[];
    importer: IsolatedImporter[];
    source: LoadedSource[];
    signIn: LoadedSignIn[];
    states: StatePublisher[];
    sharedCache: SharedCache | null;
  };
  /**
   * Starts the plugins, storage first; only those of the given kinds, if any. When one that is not optional fails,
   * the others are stopped and its PluginError is thrown.
   */
  start(kinds?: readonly PluginKind[]): Promise<void>;
  /** Stops in reverse order and continues after errors, which it returns. Safe to call twice. */
  stop(): Promise<PluginError[]>;
  describe(): Promise<PluginDescription[]>;
  /** Starts another cache store of the installed cache plugin with this id. Throws PluginError. */
  openCache(id: string, configuration: unknown): Promise<OpenedCache>;
}

/**
 * Reads and checks the manifests of all packages before importing any code, then imports and creates the chosen ones
 * and all notification transports and importers. Throws PluginError with one sentence that names the package.
 */
export async function loadPlugins(options: PluginHostOptions): Promise<PluginHost> {
  const environment: PluginEnvironment = { ...options, times: { ...pluginTimes, ...options.times } };
  const { installed, failed } = readInstalled(options);
  const chosen = choosePlugins(installed, options);
  const lifecycle = new PluginLifecycle({
    environment,
    installed,
    failed,
    selection: options.selection,
    timesOf: ({ from }) => ({ ...(from === 'built-in' ? pluginTimes : addedPluginTimes), ...options.times }),
  });
  await lifecycle.load(chosen);
  const manifests = installed.map(({ manifest }) => manifest);
  return hostOf(lifecycle, {
    options,
    environment,
    installed,
    caches: makeCacheOpener(manifests, environment),
  });
}

interface HostParts {
  options: PluginHostOptions;
  environment: PluginEnvironment;
  installed: readonly InstalledPlugin[];
  caches: CacheOpener;
}

function hostOf(lifecycle: PluginLifecycle, parts: HostParts): PluginHost {
  const { environment, installed, caches } = parts;
  return {
    get ports() {
      return portsOf(lifecycle.members, parts);
    },
    start: (kinds) => lifecycle.start(kinds),
    stop: () => lifecycle.stop(),
    describe: () => {
      const loaded = [...lifecycle.members.map(({ plugin }) => plugin), ...caches.opened()];
      return describePlugins({ installed, failed: lifecycle.failed, loaded }, environment.times);
    },
    openCache: caches.open,
  };
}

function portsOf(
  members: readonly LifecycleMember[],
  { options: { selection, openImporter }, environment: { log, times } }: HostParts,
): PluginHost['ports'] {
  const of = (kind: PluginKind) => members.filter(({ manifest }) => manifest.kind === kind);
  const guarded = (member: LifecycleMember | undefined) => member && guardPort(member, log);
  const one = <K extends SelectedKind>(kind: K) => guarded(of(kind)[0]) as SelectedPorts[K];
  const shared = of('cache').find(({ manifest }) => manifest.id !== selection.cache);
  const memory = of('cache').find((member) => member !== shared);
  return {
    storage: one('storage'),
    jobs: one('jobs'),
    cache: guarded(memory) as SelectedPorts['cache'],
    driver: one('driver'),
    notify: of('notify').map(guarded) as NotificationTransport[],
    source: of('source').map(({ manifest, plugin }) => ({
      id: manifest.id,
      source: plugin.instance as Source,
    })),
    signIn: of('sign-in').map(({ manifest, plugin }) => ({
      id: manifest.id,
      provider: plugin.instance as SignInProvider,
    })),
    states: of('states').map(({ plugin }) => plugin.instance as StatePublisher),
    importer: of('importer').map(({ plugin }) => isolatedImporter(plugin, openImporter)),
    sharedCache: shared
      ? {
          id: shared.manifest.id,
          store: guarded(shared) as CacheStore,
          health: () => healthOf(shared.plugin, times),
        }
      : null,
  };
}
