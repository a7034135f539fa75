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
import { reasonOf, withinTime } from '../../foundation/kernel/index.js';
import type { PluginManifest } from './plugin-manifest.fs.js';
import { checkPortShape } from './plugin-shape.js';
import { failedTo, PluginError, redacted, runStep, type StepWatch } from './plugin-step.js';

/** Time limits for the steps of one plugin, in milliseconds. */
export interface PluginTimes {
  import: number;
  create: number;
  /** Without a progress report. */
  start: number;
  /** With progress reports, such as while migrating a database. */
  longStart: number;
  stop: number;
  health: number;
}

/** Limits for built-in plugins: only a very busy machine takes this long. */
export const pluginTimes: PluginTimes = {
  import: 15_000,
  create: 15_000,
  start: 30_000,
  longStart: 3_600_000,
  stop: 10_000,
  health: 3_000,
};

/** Limits for added plugins: when one of them hangs, the service should report it within ten seconds. */
export const addedPluginTimes: PluginTimes = { ...pluginTimes, import: 5_000, create: 5_000, start: 5_000 };

export interface PluginEnvironment {
  log: Log;
  clock: Clock;
  fetch: typeof fetch;
  /** Each plugin gets its own folder below it. */
  dataDirectory: string;
  /** The raw configuration of one plugin, to be parsed with the schema of its definition. */
  configurationOf(plugin: {
    kind: PluginKind;
    id: string;
    schema: PluginDefinition['configuration'];
  }): unknown;
  /** The user-visible name of a configuration key; default: the key itself. */
  settingName?(plugin: { kind: PluginKind; id: string }, key: string): string;
  /** Removes secrets from messages of plugins. */
  redact?(text: string): string;
  /** Called for each step of an added plugin during start-up. */
  watch?: StepWatch | undefined;
  times: PluginTimes;
  /** The schema versions for storage plugins. */
  schema: readonly SchemaVersion[];
}

/** Parameters for starting a plugin: time limits, watch, and the schema for a storage. */
export interface StartBounds extends Pick<PluginEnvironment, 'times' | 'watch' | 'schema'> {
  /** Called for each progress report during the start. */
  onSign?(): void;
}

export interface LoadedPlugin {
  manifest: PluginManifest;
  instance: PluginInstance<PortOf[PluginKind]>;
  configuration: unknown;
  redact(text: string): string;
}

/** Imports the entry and checks that it matches the manifest. Creates nothing yet. */
export function importPlugin(
  manifest: PluginManifest,
  { times, watch }: Pick<StartBounds, 'times' | 'watch'>,
): Promise<PluginDefinition> {
  const name = manifest.package;
  return runStep({
    late: `${name} took more than ${times.import / 1000} s to import`,
    ms: times.import,
    watch,
    work: async () => definitionIn(await import(pathToFileURL(manifest.entry).href), manifest),
    failed: (cause) =>
      new PluginError('bad_module', `${name} can't be imported: ${reasonOf(cause)}.`, { cause }),
  });
}

function definitionIn(module: { default?: unknown }, { package: name, kind }: PluginManifest) {
  const definition = module.default as Partial<PluginDefinition> | null | undefined;
  if (typeof definition?.create !== 'function' || typeof definition.configuration?.safeParse !== 'function') {
    throw new PluginError('bad_module', `${name} has no plugin as its default export: use definePlugin.`);
  }
  if (definition.kind !== kind) {
    throw new PluginError(
      'kind_mismatch',
      `${name} is a "${kind}" plugin in its package.json, but a "${definition.kind}" plugin in its code.`,
    );
  }
  return definition as PluginDefinition;
}

/** Parses the configuration, creates the instance and checks that it has all methods of its port. */
export async function createPlugin(
  manifest: PluginManifest,
  definition: PluginDefinition,
  { times, watch, ...host }: Omit<PluginEnvironment, 'schema'>,
): Promise<LoadedPlugin> {
  const { kind, id } = manifest;
  const dataFolder = join(host.dataDirectory, 'plugin-data', `${kind}-${id}`);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const log = host.log.child({ plugin: `${kind}-${id}` });
  const redact = host.redact ?? ((text: string) => text);
  const failed = (cause: unknown) => failedTo('be created', manifest, cause);
  const late = `${manifest.package} took more than ${times.create / 1000} s to create`;
  try {
    let configuration: unknown;
    const instance = await runStep({
      late,
      ms: times.create,
      watch,
      failed,
      work: () => {
        configuration = parseConfiguration(manifest, definition, host);
        return definition.create({ configuration, log, clock: host.clock, dataFolder, fetch: host.fetch });
      },
    });
    checkPortShape(manifest, instance);
    return { manifest, instance, configuration, redact };
  } catch (error) {
    throw redacted(error instanceof PluginError ? error : failed(error), redact);
  }
}

export async function startPlugin(
  { manifest, instance, redact }: LoadedPlugin,
  { times: { start: ms, longStart: maxMs }, watch, schema, onSign }: StartBounds,
): Promise<void> {
  await runStep({
    late: `${manifest.package} took more than ${ms / 1000} s to start`,
    ms,
    maxMs,
    watch,
    work: (reportProgress) => {
      const stillWorking = () => {
        reportProgress();
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
    late: `${manifest.package} took more than ${times.stop / 1000} s to stop`,
    ms: times.stop,
    work: () => instance.stop?.(),
    failed: (cause) => redacted(failedTo('stop', manifest, cause), redact),
  });
}

/** Null when healthy, else one sentence. Never rejects. */
export async function healthOf(
  { manifest, instance, redact }: LoadedPlugin,
  times: PluginTimes,
): Promise<string | null> {
  const late = `${manifest.package} took more than ${times.health / 1000} s to report its health`;
  try {
    const answer: unknown = await runStep({
      late,
      ms: times.health,
      work: () => instance.health?.(),
      failed: (cause) => failedTo('report its health', manifest, cause),
    });
    if (answer === undefined || answer === null) return null;
    return redact(
      typeof answer === 'string' && answer.trim() !== '' ? answer : `${manifest.package} is not healthy.`,
    );
  } catch (error) {
    return redact((error as Error).message);
  }
}

/** How long to wait for an examination. It goes on afterwards, and the next call gets its findings. */
const noticesWithinMs = 20;

/** The warnings from its examination; none when they take too long. */
export async function noticesOf({ instance, redact }: LoadedPlugin): Promise<string[]> {
  const late = () => new Error('late');
  const asked = withinTime(noticesWithinMs, async () => instance.examine?.(), late);
  const { findings = [] } = (await asked.catch(() => null)) ?? {};
  return findings.flatMap(({ status, text }) => (status === 'warning' ? [redact(text)] : []));
}

function parseConfiguration(
  manifest: PluginManifest,
  definition: PluginDefinition,
  { configurationOf, settingName }: Pick<PluginEnvironment, 'configurationOf' | 'settingName'>,
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
