import type { z } from 'zod';
import type { AlarmClock } from './alarm-clock.js';
import type { BackupDriver } from './backup-driver.js';
import type { CacheStore } from './cache.js';
import type { Clock, Log } from './services.js';
import type { StorageBackend } from './storage.js';

/**
 * The version of what plugins meet: the ports, the context, the manifest and the life-cycle. The first number is raised
 * when plugins of before can't meet it any more, the second when something is added that plugins may use or leave.
 */
export const pluginApiVersion = '1.0.0';

export interface PortOf {
  storage: StorageBackend;
  jobs: AlarmClock;
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

/** One thing that was looked at, in words for people, without secrets. */
export interface Finding {
  status: 'ok' | 'warning' | 'failed';
  text: string;
  /** What to do about it. */
  advice?: string;
}

/** What a plugin found where it would work. */
export interface Examination {
  findings: Finding[];
  /** The clock of the server behind the plugin, milliseconds since the epoch. */
  serverTime?: number;
  /** Of a storage: the schema version that is there, null for none, and the newest one that the program knows. */
  schema?: { stored: number | null; newest: number };
}

/** How a start that takes long says that it goes on. */
export interface SignsOfLife {
  /** At least every other second; the service may give up a start without a sign after five. */
  stillWorking(): void;
}

/** A port with the optional life-cycle: only the host calls these, `start` once before and `stop` once after all use. */
export type PluginInstance<Port> = Port & {
  start?(signs?: SignsOfLife): Promise<void>;
  stop?(): Promise<void>;
  /** Resolves to null when all is well, else to one sentence. */
  health?(): Promise<string | null>;
  /**
   * Looks, without a `start` before it, at what `start` would find; makes and changes nothing. A driver is also asked
   * while it runs, often: `/health` tells its warnings to everybody.
   */
  examine?(): Promise<Examination>;
};

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
