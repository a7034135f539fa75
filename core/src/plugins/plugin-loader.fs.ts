import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  Clock,
  Log,
  PluginDefinition,
  PluginInstance,
  PluginKind,
  PortOf,
  SchemaVersion,
  StorageStart,
} from '@holdfast/plugin-api';
import { reasonOf, withinTime } from '../kernel/index.js';
import type { PluginManifest } from './plugin-manifest.fs.js';
import { checkPortShape } from './plugin-shape.js';
import { failedTo, PluginError, redacted, runStep, type StepWatch } from './plugin-step.js';

/** How long one step of one plugin may last, in milliseconds. */
export interface PluginTimes {
  import: number;
  create: number;
  /** Without a sign of life. */
  start: number;
  /** A start with signs of life, such as one that migrates a database. */
  longStart: number;
  stop: number;
  health: number;
}

/** Of what belongs to the product: only a machine that is very busy takes so long. */
export const pluginTimes: PluginTimes = {
  import: 15_000,
  create: 15_000,
  start: 30_000,
  longStart: 3_600_000,
  stop: 10_000,
  health: 3_000,
};

/** Of added plugins: a service that does not start because one of them hangs should say so within ten seconds. */
export const addedPluginTimes: PluginTimes = { ...pluginTimes, import: 5_000, create: 5_000, start: 5_000 };

export interface PluginSurroundings {
  log: Log;
  clock: Clock;
  fetch: typeof fetch;
  /** Each plugin gets a folder of its own below it. */
  dataDirectory: string;
  /** The raw configuration of one plugin, to be parsed by the schema of its definition. */
  configurationOf(plugin: {
    kind: PluginKind;
    id: string;
    schema: PluginDefinition['configuration'];
  }): unknown;
  /** How people know a key of that configuration; default: as it is. */
  settingName?(plugin: { kind: PluginKind; id: string }, key: string): string;
  /** Takes secrets out of what plugins say. */
  redact?(text: string): string;
  /** Told of each step of an added plugin that belongs to the start. */
  watch?: StepWatch | undefined;
  times: PluginTimes;
  /** What a storage is started with. */
  schema: readonly SchemaVersion[];
}

/** How a plugin is started: how long it may take, who looks on, and what a storage has to hold. */
export interface StartBounds extends Pick<PluginSurroundings, 'times' | 'watch' | 'schema'> {
  /** Told of each sign of life of the start. */
  onSign?(): void;
}

export interface LoadedPlugin {
  manifest: PluginManifest;
  instance: PluginInstance<PortOf[PluginKind]>;
  redact(text: string): string;
}

/** Imports the entry and checks that it is the plugin that its manifest promises. Nothing is created yet. */
export function importPlugin(
  manifest: PluginManifest,
  { times, watch }: Pick<StartBounds, 'times' | 'watch'>,
): Promise<PluginDefinition> {
  const name = manifest.package;
  return runStep({
    ...{ late: `${name} took more than ${times.import / 1000} s to import`, ms: times.import, watch },
    work: async () => definitionIn(await import(pathToFileURL(manifest.entry).href), manifest),
    failed: (cause) =>
      new PluginError('bad_module', `${name} can't be imported: ${reasonOf(cause)}.`, { cause }),
  });
}

function definitionIn(module: { default?: unknown }, { package: name, kind }: PluginManifest) {
  const definition = module.default as Partial<PluginDefinition> | null | undefined;
  if (typeof definition?.create !== 'function' || typeof definition.configuration?.safeParse !== 'function') {
    throw new PluginError('bad_module', `${name} has no plugin as its default export; use definePlugin.`);
  }
  if (definition.kind !== kind) {
    throw new PluginError(
      'kind_mismatch',
      `${name} is a "${kind}" plugin by its package.json and a "${definition.kind}" plugin by its code.`,
    );
  }
  return definition as PluginDefinition;
}

/** Parses the configuration, makes the instance and checks that it has all methods of its port. */
export async function createPlugin(
  manifest: PluginManifest,
  definition: PluginDefinition,
  { times, watch, ...host }: Omit<PluginSurroundings, 'schema'>,
): Promise<LoadedPlugin> {
  const { kind, id } = manifest;
  const dataFolder = join(host.dataDirectory, 'plugin-data', `${kind}-${id}`);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const log = host.log.child({ plugin: `${kind}-${id}` });
  const redact = host.redact ?? ((text: string) => text);
  const failed = (cause: unknown) => failedTo('be created', manifest, cause);
  const late = `${manifest.package} took more than ${times.create / 1000} s to create`;
  try {
    const instance = await runStep({
      ...{ late, ms: times.create, watch, failed },
      work: () => {
        const configuration = parseConfiguration(manifest, definition, host);
        return definition.create({ configuration, log, clock: host.clock, dataFolder, fetch: host.fetch });
      },
    });
    checkPortShape(manifest, instance);
    return { manifest, instance, redact };
  } catch (error) {
    throw redacted(error instanceof PluginError ? error : failed(error), redact);
  }
}

export async function startPlugin(
  { manifest, instance, redact }: LoadedPlugin,
  { times: { start: ms, longStart: mostMs }, watch, schema, onSign }: StartBounds,
): Promise<void> {
  await runStep({
    ...{ late: `${manifest.package} took more than ${ms / 1000} s to start`, ms, mostMs, watch },
    work: (goesOn) => {
      const stillWorking = () => {
        goesOn();
        onSign?.();
      };
      const start = { stillWorking, ...(manifest.kind === 'storage' && { schema }) };
      return instance.start?.(start as StorageStart);
    },
    failed: (cause) => redacted(failedTo('start', manifest, cause), redact),
  });
}

export async function stopPlugin(
  { manifest, instance, redact }: LoadedPlugin,
  times: PluginTimes,
): Promise<void> {
  await runStep({
    ...{ late: `${manifest.package} took more than ${times.stop / 1000} s to stop`, ms: times.stop },
    work: () => instance.stop?.(),
    failed: (cause) => redacted(failedTo('stop', manifest, cause), redact),
  });
}

/** null when all is well, else one sentence. Never rejects. */
export async function healthOf(
  { manifest, instance, redact }: LoadedPlugin,
  times: PluginTimes,
): Promise<string | null> {
  const late = `${manifest.package} took more than ${times.health / 1000} s to say how it is`;
  try {
    const told: unknown = await runStep({
      ...{ late, ms: times.health },
      work: () => instance.health?.(),
      failed: (cause) => failedTo('say how it is', manifest, cause),
    });
    if (told === undefined || told === null) return null;
    return redact(typeof told === 'string' && told.trim() !== '' ? told : `${manifest.package} is not well.`);
  } catch (error) {
    return redact((error as Error).message);
  }
}

/** Of a look that may go on beside the question; the next one tells what it found. */
const noticesWithinMs = 20;

/** The warnings of its examination; none when it does not tell soon. */
export async function noticesOf({ instance, redact }: LoadedPlugin): Promise<string[]> {
  const late = () => new Error('late');
  const asked = withinTime(noticesWithinMs, async () => instance.examine?.(), late);
  const { findings = [] } = (await asked.catch(() => null)) ?? {};
  return findings.flatMap(({ status, text }) => (status === 'warning' ? [redact(text)] : []));
}

function parseConfiguration(
  manifest: PluginManifest,
  definition: PluginDefinition,
  { configurationOf, settingName }: Pick<PluginSurroundings, 'configurationOf' | 'settingName'>,
): unknown {
  const { kind, id } = manifest;
  const schema = definition.configuration;
  const parsed = schema.safeParse(configurationOf({ kind, id, schema }) ?? {});
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(({ path: [key, ...rest], message }) => {
    const name = key === undefined ? '' : (settingName?.({ kind, id }, String(key)) ?? String(key));
    return [[name, ...rest].join('.'), message].filter(Boolean).join(': ');
  });
  throw new PluginError(
    'bad_configuration',
    `The configuration of ${manifest.package} is wrong: ${reasons.join('; ')}.`,
  );
}
