import {
  type NotificationTransport,
  type PluginKind,
  pluginKinds,
  type StoragePort,
} from '@holdfast/plugin-api';
import {
  type FailedPlugin,
  type InstalledPlugin,
  isUsedBeside,
  type PluginSelection,
  selectedOf,
} from './plugin-choice.js';
import {
  createPlugin,
  importPlugin,
  type LoadedPlugin,
  type PluginEnvironment,
  type PluginTimes,
  type StartBounds,
  startPlugin,
  stopPlugin,
} from './plugin-loader.fs.js';
import { failedTo, PluginError, type PluginSource, redacted, runStep } from './plugin-step.js';

export interface LifecycleMember extends InstalledPlugin {
  plugin: LoadedPlugin;
}

interface LifecycleParts {
  environment: PluginEnvironment;
  installed: readonly InstalledPlugin[];
  /** Optional plugins that could not be read. */
  failed: readonly FailedPlugin[];
  selection: PluginSelection;
  /** Time limits for a plugin from this source. */
  timesOf(source: PluginSource): PluginTimes;
}

/**
 * The plugins in use, from import to stop. An optional plugin that fails is left out; if its kind needs one, the
 * selected plugin replaces it.
 */
export class PluginLifecycle {
  readonly failed: FailedPlugin[];
  #members: LifecycleMember[] = [];
  readonly #running: LoadedPlugin[] = [];

  constructor(private readonly parts: LifecycleParts) {
    this.failed = [...parts.failed];
    for (const failure of this.failed) this.#logFailure(failure);
  }

  /** In the order of `pluginKinds`, where each kind needs only those before it. */
  get members(): readonly LifecycleMember[] {
    return pluginKinds.flatMap((kind) => this.#members.filter(({ manifest }) => manifest.kind === kind));
  }

  async load(chosen: readonly InstalledPlugin[]): Promise<void> {
    for (const kind of pluginKinds) {
      for (const one of chosen) if (one.manifest.kind === kind) await this.#load(one);
    }
  }

  async start(kinds: readonly PluginKind[] = pluginKinds): Promise<void> {
    // Replacements may be added to the list during the loop.
    const started = new Set<LifecycleMember>();
    const next = () =>
      this.members.find((member) => kinds.includes(member.manifest.kind) && !started.has(member));
    for (let member = next(); member; member = next()) {
      started.add(member);
      this.#running.push(member.plugin);
      try {
        const bounds = this.#boundsOf(member.source);
        await startPlugin(member.plugin, bounds);
        if (member.manifest.kind === 'storage') await checkStoredSchema(member.plugin, bounds);
      } catch (error) {
        if (!member.source.optional) {
          await this.stop();
          throw error;
        }
        this.#running.pop();
        await stopPlugin(member.plugin, this.parts.environment.times).catch(() => undefined);
        await this.#leaveOut(member, error);
      }
    }
  }

  async stop(): Promise<PluginError[]> {
    const problems: PluginError[] = [];
    for (let plugin = this.#running.pop(); plugin; plugin = this.#running.pop()) {
      await stopPlugin(plugin, this.parts.environment.times).catch((error: PluginError) =>
        problems.push(error),
      );
    }
    return problems;
  }

  async #load(one: InstalledPlugin): Promise<void> {
    const bounds = this.#boundsOf(one.source);
    try {
      const definition = await importPlugin(one.manifest, bounds);
      const plugin = await createPlugin(one.manifest, definition, { ...this.parts.environment, ...bounds });
      checkSchemes(plugin);
      this.#members.push({ ...one, plugin });
    } catch (error) {
      if (!one.source.optional) throw error;
      await this.#leaveOut(one, error);
    }
  }

  #boundsOf(source: PluginSource): StartBounds {
    const { environment, timesOf } = this.parts;
    return {
      times: timesOf(source),
      schema: environment.schema,
      watch: source.from === 'built-in' ? undefined : environment.watch,
    };
  }

  async #leaveOut({ manifest, source }: InstalledPlugin, error: unknown): Promise<void> {
    const failure = { manifest, source, error: error as PluginError };
    this.failed.push(failure);
    this.#logFailure(failure);
    this.#members = this.#members.filter((member) => member.manifest !== manifest);
    const { kind } = manifest;
    if (isUsedBeside(kind) || this.#members.some((member) => member.manifest.kind === kind)) return;
    const replacement = selectedOf(this.parts.installed, kind, this.parts.selection[kind]);
    if (!replacement.source.optional) await this.#load(replacement);
  }

  #logFailure({ manifest, source: { name }, error }: FailedPlugin): void {
    this.parts.environment.log.error('an optional plugin failed: Holdfast starts without it', {
      plugin: manifest?.package ?? name,
      reason: error.message,
    });
  }
}

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

/** A storage with another schema version would fail at every call. Throws PluginError when the version differs. */
async function checkStoredSchema(
  { manifest, instance, redact }: LoadedPlugin,
  { times: { start: ms }, watch, schema }: StartBounds,
): Promise<void> {
  const name = manifest.package;
  const stored: unknown = await runStep({
    late: `${name} took more than ${ms / 1000} s to report its schema version`,
    ms,
    watch,
    work: () => (instance as StoragePort).schemaVersion(),
    failed: (cause) => redacted(failedTo('report its schema version', manifest, cause), redact),
  });
  const newest = Math.max(...schema.map(({ version }) => version));
  if (stored !== newest) throw new PluginError('other_schema', sentenceOf(name, stored, newest));
}

function sentenceOf(name: string, stored: unknown, newest: number): string {
  if (typeof stored !== 'number') {
    return `${name} does not report the schema version of its store: install a version of it that does.`;
  }
  if (stored < newest) {
    return (
      `${name} left its store at schema version ${stored}, but this server needs ${newest}: ` +
      'install a version of it that supports the schema of this server.'
    );
  }
  return (
    `The store of ${name} has schema version ${stored}, but this server knows versions up to ${newest}: ` +
    'start the release that wrote it or a newer one, or use another store.'
  );
}
