import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PluginDefinition, PluginInstance, PluginKind, PortOf } from '../ports/plugin.js';
import type { Clock, Log } from '../ports/services.js';
import { PluginError } from './plugin-error.js';
import type { PluginManifest } from './plugin-manifest.js';
import { withinTime } from './within-time.js';

/** How long one step of one plugin may last, in milliseconds. `start` may migrate a database. */
export interface PluginTimes {
  import: number;
  create: number;
  start: number;
  stop: number;
  health: number;
}

export const pluginTimes: PluginTimes = {
  import: 15_000,
  create: 15_000,
  start: 120_000,
  stop: 10_000,
  health: 3_000,
};

export interface PluginSurroundings {
  log: Log;
  clock: Clock;
  fetch: typeof fetch;
  /** Each plugin gets a folder of its own below it. */
  dataDirectory: string;
  /** The raw configuration of one plugin, parsed by the plugin's schema. */
  configurationOf(plugin: { kind: PluginKind; id: string }): unknown;
  times: PluginTimes;
}

export interface LoadedPlugin {
  manifest: PluginManifest;
  instance: PluginInstance<PortOf[PluginKind]>;
}

/** Imports the entry and checks that it is the plugin that its manifest promises. Nothing is created yet. */
export async function importPlugin(manifest: PluginManifest, times: PluginTimes): Promise<PluginDefinition> {
  const name = manifest.package;
  const module = await step(`${name} took more than ${times.import / 1000} s to import`, times.import, {
    work: () => import(pathToFileURL(manifest.entry).href) as Promise<{ default?: unknown }>,
    failed: (cause) =>
      new PluginError('bad_module', `${name} can't be imported: ${reasonOf(cause)}`, { cause }),
  });
  const definition = module.default as Partial<PluginDefinition> | null | undefined;
  if (typeof definition?.create !== 'function' || typeof definition.configuration?.safeParse !== 'function') {
    throw new PluginError('bad_module', `${name} has no plugin as its default export; use definePlugin.`);
  }
  if (definition.kind !== manifest.kind) {
    throw new PluginError(
      'kind_mismatch',
      `${name} is a "${manifest.kind}" plugin by its package.json and a "${definition.kind}" plugin by its code.`,
    );
  }
  return definition as PluginDefinition;
}

/** Parses the configuration and makes the instance. */
export async function createPlugin(
  manifest: PluginManifest,
  definition: PluginDefinition,
  { times, ...host }: PluginSurroundings,
): Promise<LoadedPlugin> {
  const { kind, id } = manifest;
  const configuration = parseConfiguration(manifest, definition, host.configurationOf({ kind, id }));
  const dataFolder = join(host.dataDirectory, 'plugins', `${kind}-${id}`);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const log = host.log.child({ plugin: `${kind}-${id}` });
  const instance = await step(
    `${manifest.package} took more than ${times.create / 1000} s to create`,
    times.create,
    {
      work: () => definition.create({ configuration, log, clock: host.clock, dataFolder, fetch: host.fetch }),
      failed: (cause) => failedTo('be created', manifest, cause),
    },
  );
  return { manifest, instance };
}

export async function startPlugin({ manifest, instance }: LoadedPlugin, times: PluginTimes): Promise<void> {
  await step(`${manifest.package} took more than ${times.start / 1000} s to start`, times.start, {
    work: () => instance.start?.(),
    failed: (cause) => failedTo('start', manifest, cause),
  });
}

export async function stopPlugin({ manifest, instance }: LoadedPlugin, times: PluginTimes): Promise<void> {
  await step(`${manifest.package} took more than ${times.stop / 1000} s to stop`, times.stop, {
    work: () => instance.stop?.(),
    failed: (cause) => failedTo('stop', manifest, cause),
  });
}

/** null when all is well, else one sentence. Never rejects. */
export async function healthOf(
  { manifest, instance }: LoadedPlugin,
  times: PluginTimes,
): Promise<string | null> {
  const late = `${manifest.package} took more than ${times.health / 1000} s to say how it is`;
  try {
    return await step(late, times.health, {
      work: async () => (await instance.health?.()) ?? null,
      failed: (cause) => failedTo('say how it is', manifest, cause),
    });
  } catch (error) {
    return (error as Error).message;
  }
}

function parseConfiguration(manifest: PluginManifest, definition: PluginDefinition, raw: unknown): unknown {
  const parsed = definition.configuration.safeParse(raw ?? {});
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new PluginError(
    'bad_configuration',
    `The configuration of ${manifest.package} is wrong: ${reasons.join('; ')}.`,
  );
}

const reasonOf = (cause: unknown): string => {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.endsWith('.') ? text : `${text}.`;
};

const failedTo = (what: string, manifest: PluginManifest, cause: unknown) =>
  new PluginError('failed', `${manifest.package} could not ${what}: ${reasonOf(cause)}`, { cause });

async function step<T>(
  late: string,
  ms: number,
  { work, failed }: { work: () => T | Promise<T>; failed: (cause: unknown) => PluginError },
): Promise<T> {
  try {
    return await withinTime(ms, work, () => new PluginError('timed_out', `${late}.`));
  } catch (error) {
    throw error instanceof PluginError ? error : failed(error);
  }
}
