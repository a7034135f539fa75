import type { z } from 'zod';
import type { BackupDriver } from './backup-driver.js';
import type { CacheStore } from './cache.js';
import type { PluginLife } from './plugin-life.js';
import type { Clock, Log } from './services.js';
import type { StoragePort } from './storage.js';
import type { TimerService } from './timer-service.js';

export type * from './plugin-life.js';

export interface PortOf {
  storage: StoragePort;
  jobs: TimerService;
  cache: CacheStore;
  notify: NotificationTransport;
  driver: BackupDriver;
}
export type PluginKind = keyof PortOf;
export const pluginKinds = [
  'storage',
  'jobs',
  'cache',
  'notify',
  'driver',
] as const satisfies readonly PluginKind[];

/**
 * The version of what plugins of a kind meet: the port, the context, the manifest and the life-cycle. The first number
 * is raised when plugins of before can't meet it any more, the second when something is added that plugins may use or
 * leave.
 */
export const pluginApiVersions: Readonly<Record<PluginKind, string>> = {
  storage: '2.0.0',
  jobs: '2.0.0',
  cache: '1.0.0',
  notify: '1.0.0',
  driver: '1.0.0',
};

/** Sends one message to the service behind a URL of its schemes. `*` takes what no other transport names. */
export interface NotificationTransport {
  schemes: string[];
  /** One sentence about what is wrong with a URL, without its secrets, or null. It reaches nothing outside. */
  check?(url: string): string | null;
  /**
   * Resolves when the far side took the message. Rejects with a DeliveryError; anything else counts as retryable.
   * `url` is text as it was given: the convention of service URLs knows some that are none by the URL standard.
   */
  send(url: string, message: NotificationMessage, options: { signal: AbortSignal }): Promise<void>;
}

export interface NotificationMessage {
  /** The same for each try of one message. */
  id: string;
  title: string;
  body: string;
  /** Of `body`: HTML is sent to mail schemes only, as a whole page. */
  format: 'text' | 'html';
  type: 'info' | 'success' | 'warning' | 'failure';
  event: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export interface PluginContext<Configuration> {
  configuration: Configuration;
  log: Log;
  clock: Clock;
  /** A folder of the plugin's own, made before `create`. */
  dataFolder: string;
  fetch: typeof fetch;
}

/** A port with its life-cycle. A storage has a start of its own. */
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

/** The default export of a plugin's entry. Only types: it returns what it is given. */
export function definePlugin<Kind extends PluginKind, Schema extends z.ZodTypeAny>(
  definition: PluginDefinition<Kind, Schema>,
): PluginDefinition<Kind, Schema> {
  return definition;
}
