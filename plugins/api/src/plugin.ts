import type { z } from 'zod';
import type { BackupDriver } from './backup-driver.js';
import type { CacheStore } from './cache.js';
import type { Importer } from './importer.js';
import type { NotificationTransport } from './notification.js';
import type { PluginLife } from './plugin-life.js';
import type { Clock, Log } from './services.js';
import type { SignInProvider } from './sign-in.js';
import type { Source } from './source.js';
import type { StatePublisher } from './states.js';
import type { StoragePort } from './storage.js';
import type { TimerService } from './timer-service.js';

export type * from './plugin-life.js';

export interface PortOf {
  storage: StoragePort;
  jobs: TimerService;
  cache: CacheStore;
  notify: NotificationTransport;
  driver: BackupDriver;
  importer: Importer;
  source: Source;
  'sign-in': SignInProvider;
  states: StatePublisher;
}
export type PluginKind = keyof PortOf;
export const pluginKinds = [
  'storage',
  'jobs',
  'cache',
  'notify',
  'driver',
  'importer',
  'source',
  'sign-in',
  'states',
] as const satisfies readonly PluginKind[];

/**
 * The API version of each plugin kind: port, context, manifest and life cycle. The major number grows when older
 * plugins no longer fit, the minor number when something optional is added.
 */
export const pluginApiVersions: Readonly<Record<PluginKind, string>> = {
  storage: '2.0.0',
  jobs: '2.1.0',
  cache: '1.0.0',
  notify: '1.1.0',
  driver: '1.1.0',
  importer: '1.0.0',
  source: '1.0.0',
  'sign-in': '1.0.0',
  states: '1.0.0',
};

export interface PluginContext<Configuration> {
  configuration: Configuration;
  log: Log;
  clock: Clock;
  /** The plugin's own folder, created before `create` is called. */
  dataFolder: string;
  fetch: typeof fetch;
}

/** A port with its life cycle. A storage has its own `start`. */
export type PluginInstance<Port> = Port & Omit<PluginLife, keyof Port>;

export interface PluginDefinition<
  Kind extends PluginKind = PluginKind,
  Schema extends z.ZodTypeAny = z.ZodTypeAny,
> {
  kind: Kind;
  configuration: Schema;
  create(
    context: PluginContext<z.output<Schema>>,
  ): PluginInstance<PortOf[Kind]> | Promise<PluginInstance<PortOf[Kind]>>;
}

/** For the default export of a plugin. Adds only types: it returns its argument. */
export function definePlugin<Kind extends PluginKind, Schema extends z.ZodTypeAny>(
  definition: PluginDefinition<Kind, Schema>,
): PluginDefinition<Kind, Schema> {
  return definition;
}
