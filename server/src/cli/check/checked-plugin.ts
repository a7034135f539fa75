import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createPlugin,
  type LoadedPlugin,
  type PluginManifest,
  pluginTimes,
  type Redactor,
  type StepWatch,
  schemaVersions,
  startPlugin,
  stopPlugin,
} from '@holdfast/core/server';
import type { PluginDefinition, StorageStart } from '@holdfast/plugin-api';
import { Sink } from '@holdfast/testkit';
import { systemClock } from '../../adapters/system-clock.js';
import { quietLog } from '../quiet-log.js';

/** A hanging plugin step is reported within ten seconds. */
export const checkTimes = { ...pluginTimes, import: 8_000, create: 8_000, start: 8_000, stop: 8_000 };

interface Parts {
  manifest: PluginManifest;
  definition: PluginDefinition;
  /**
   * As given. `{folder}`, `{store}`, `{host}`, `{client_id}` and `{client_secret}` in its strings are replaced with the
   * values of a test case.
   */
  configuration: unknown;
  /** Temporary. */
  folder: string;
  watch: StepWatch;
  redactor: Pick<Redactor, 'redact'>;
}

export interface OpenedPlugin<Port> {
  port: Port;
  close(): Promise<void>;
}

/** Creates instances of the plugin in the same way as the service. */
export class CheckedPlugin {
  constructor(private readonly parts: Parts) {}

  get manifest(): PluginManifest {
    return this.parts.manifest;
  }

  get definition(): PluginDefinition {
    return this.parts.definition;
  }

  get folder(): string {
    return this.parts.folder;
  }

  configurationWith(values: Record<string, string>): unknown {
    return filled(this.parts.configuration, { folder: this.folder, ...values });
  }

  /**
   * Returns a started instance with its own data folder; a storage is started with `start`. Rejects with
   * PluginError.
   */
  async open<Port>(values: Record<string, string> = {}, start?: StorageStart): Promise<OpenedPlugin<Port>> {
    const loaded = await this.create(values);
    const close = () => stopPlugin(loaded, checkTimes);
    const given = start && { schema: start.schema, onSign: start.stillWorking };
    await startPlugin(loaded, {
      times: checkTimes,
      watch: this.parts.watch,
      schema: schemaVersions,
      ...given,
    }).catch(async (error: unknown) => {
      await close().catch(() => {});
      throw error;
    });
    return { port: loaded.instance as Port, close };
  }

  /** Creates, starts and stops it once: an error here would fail every case. Rejects with PluginError. */
  async tryOut(): Promise<void> {
    const sink = await Sink.open();
    try {
      const { close } = await this.open({ store: `check_${randomUUID().slice(0, 8)}`, host: sink.host });
      await close();
    } finally {
      await sink.close();
    }
  }

  private async create(values: Record<string, string>): Promise<LoadedPlugin> {
    const { manifest, definition, folder, watch, redactor } = this.parts;
    const dataDirectory = join(folder, randomUUID());
    await mkdir(dataDirectory);
    return createPlugin(manifest, definition, {
      log: quietLog,
      clock: systemClock,
      fetch,
      dataDirectory,
      times: checkTimes,
      watch,
      configurationOf: () => this.configurationWith(values),
      redact: (text) => redactor.redact(text),
    });
  }
}

function filled(value: unknown, values: Record<string, string>): unknown {
  if (typeof value === 'string') return value.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
  if (Array.isArray(value)) return value.map((each) => filled(each, values));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, values)]));
}
