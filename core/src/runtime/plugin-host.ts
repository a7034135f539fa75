import { driverOperations } from '../ports/driver-operations.js';
import {
  type NotificationTransport,
  type PluginInstance,
  type PluginKind,
  type PortOf,
  pluginKinds,
} from '../ports/plugin.js';
import { type CacheOpener, makeCacheOpener, type OpenedCache } from './cache-opener.js';
import { PluginError } from './plugin-error.js';
import {
  createPlugin,
  healthOf,
  importPlugin,
  type LoadedPlugin,
  type PluginSurroundings,
  type PluginTimes,
  pluginTimes,
  startPlugin,
  stopPlugin,
} from './plugin-loader.js';
import { type PluginManifest, readPluginManifest } from './plugin-manifest.js';

/** Kinds of which exactly one plugin is used. */
export type SelectedKind = Exclude<PluginKind, 'notify'>;
export type PluginSelection = Record<SelectedKind, string>;

export interface PluginHostOptions extends Omit<PluginSurroundings, 'times'> {
  /** Names of packages, or folders, in any order. */
  packages: readonly string[];
  /** The folder of a package, or null when there is none. */
  resolve(nameOrFolder: string): string | null;
  /** The ids of the storage, jobs, cache and driver plugins to use. */
  selection: PluginSelection;
  times?: Partial<PluginTimes>;
}

export interface PluginDescription {
  name: string;
  version: string;
  kind: PluginKind;
  id: string;
  /** Operations of a driver, schemes of a notification transport; empty for other kinds. */
  capabilities: string[];
  /** Null when all is well, else one sentence. */
  health: string | null;
}

export type SelectedPorts = { [K in SelectedKind]: PluginInstance<PortOf[K]> };

export interface PluginHost {
  ports: SelectedPorts & { notify: NotificationTransport[] };
  /** Storage first. When one fails, those that run are stopped again, and its PluginError is thrown. */
  start(): Promise<void>;
  /** In reverse; goes on after a failure. Returns what went wrong. May be called twice. */
  stop(): Promise<PluginError[]>;
  describe(): Promise<PluginDescription[]>;
  /** Another cache store beside the selected one, started, of the installed cache plugin with that id. PluginError. */
  openCache(id: string, configuration: unknown): Promise<OpenedCache>;
}

/**
 * Reads and checks the manifests of all packages before any of their code is imported, then imports and
 * creates the chosen ones and all notification transports. PluginError, one sentence that names the package.
 */
export async function loadPlugins(options: PluginHostOptions): Promise<PluginHost> {
  const surroundings: PluginSurroundings = { ...options, times: { ...pluginTimes, ...options.times } };
  const installed = readAll(options);
  const manifests = inOrder(choose(installed, options.selection));
  const loaded: LoadedPlugin[] = [];
  for (const manifest of manifests) {
    const definition = await importPlugin(manifest, surroundings.times);
    const plugin = await createPlugin(manifest, definition, surroundings);
    checkSchemes(plugin);
    loaded.push(plugin);
  }
  return hostOf(loaded, { times: surroundings.times, caches: makeCacheOpener(installed, surroundings) });
}

function readAll({ packages, resolve }: PluginHostOptions): PluginManifest[] {
  const manifests: PluginManifest[] = [];
  for (const name of new Set(packages)) {
    const folder = resolve(name);
    if (folder === null) throw new PluginError('not_found', `The plugin ${name} is not installed.`);
    const manifest = readPluginManifest(folder);
    for (const other of manifests) refuseShadowing(manifest, other);
    manifests.push(manifest);
  }
  return manifests;
}

function refuseShadowing(manifest: PluginManifest, other: PluginManifest): void {
  if (manifest.kind !== other.kind) return;
  if (manifest.id === other.id) {
    throw new PluginError(
      'taken_id',
      `${manifest.package} has the ${manifest.kind} id "${manifest.id}", which ${other.package} has taken.`,
    );
  }
  const scheme = manifest.schemes.find((name) => other.schemes.includes(name));
  if (scheme === undefined) return;
  throw new PluginError(
    'taken_scheme',
    `${manifest.package} wants the scheme "${scheme}", which ${other.package} has taken already.`,
  );
}

function choose(manifests: PluginManifest[], selection: PluginSelection): PluginManifest[] {
  for (const [kind, id] of Object.entries(selection)) {
    if (manifests.some((manifest) => manifest.kind === kind && manifest.id === id)) continue;
    throw new PluginError(
      'not_selected',
      `No installed plugin is the ${kind} "${id}" that the configuration names.`,
    );
  }
  return manifests.filter(({ kind, id }) => kind === 'notify' || selection[kind] === id);
}

/** `pluginKinds` lists the kinds so that each needs only those before it. */
const inOrder = (manifests: PluginManifest[]): PluginManifest[] =>
  pluginKinds.flatMap((kind) => manifests.filter((manifest) => manifest.kind === kind));

function checkSchemes({ manifest, instance }: LoadedPlugin): void {
  if (manifest.kind !== 'notify') return;
  const actual = (instance as NotificationTransport).schemes;
  const promised = manifest.schemes.join(', ');
  if ([...actual].sort().join() === [...manifest.schemes].sort().join()) return;
  throw new PluginError(
    'kind_mismatch',
    `${manifest.package} serves the schemes ${actual.join(', ')}, but its package.json says ${promised}.`,
  );
}

function hostOf(
  loaded: readonly LoadedPlugin[],
  { times, caches }: { times: PluginTimes; caches: CacheOpener },
): PluginHost {
  const running: LoadedPlugin[] = [];
  const stop = async () => {
    const problems: PluginError[] = [];
    for (let plugin = running.pop(); plugin; plugin = running.pop()) {
      await stopPlugin(plugin, times).catch((error: PluginError) => problems.push(error));
    }
    return problems;
  };
  return {
    ports: portsOf(loaded),
    async start() {
      for (const plugin of loaded) {
        running.push(plugin);
        await startPlugin(plugin, times).catch(async (error: unknown) => {
          await stop();
          throw error;
        });
      }
    },
    stop,
    describe: () => {
      const others = caches
        .opened()
        .filter(({ manifest: { id } }) => !loaded.some((one) => one.manifest.id === id));
      return Promise.all([...loaded, ...others].map((plugin) => description(plugin, times)));
    },
    openCache: caches.open,
  };
}

function portsOf(loaded: readonly LoadedPlugin[]): PluginHost['ports'] {
  const of = (kind: PluginKind) =>
    loaded.filter(({ manifest }) => manifest.kind === kind).map(({ instance }) => instance);
  const one = <K extends SelectedKind>(kind: K) => of(kind)[0] as SelectedPorts[K];
  return {
    storage: one('storage'),
    jobs: one('jobs'),
    cache: one('cache'),
    driver: one('driver'),
    notify: of('notify') as NotificationTransport[],
  };
}

async function description(plugin: LoadedPlugin, times: PluginTimes): Promise<PluginDescription> {
  const { package: name, version, kind, id } = plugin.manifest;
  return {
    name,
    version,
    kind,
    id,
    capabilities: capabilitiesOf(plugin),
    health: await healthOf(plugin, times),
  };
}

function capabilitiesOf({ manifest, instance }: LoadedPlugin): string[] {
  if (manifest.kind === 'notify') return manifest.schemes;
  if (manifest.kind !== 'driver') return [];
  const driver = instance as PortOf['driver'];
  return driverOperations.filter((name) => typeof driver[name] === 'function');
}
