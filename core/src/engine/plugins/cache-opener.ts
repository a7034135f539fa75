import type { CacheStore } from '@holdfast/plugin-api';
import {
  createPlugin,
  healthOf,
  importPlugin,
  type LoadedPlugin,
  type PluginEnvironment,
  startPlugin,
  stopPlugin,
} from './plugin-loader.fs.js';
import type { PluginManifest } from './plugin-manifest.fs.js';
import { PluginError } from './plugin-step.js';

/** A cache store that was opened in addition to the selected one. */
export interface OpenedCache {
  store: CacheStore;
  /** Null when healthy, else one sentence. */
  health(): Promise<string | null>;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface CacheOpener {
  open(id: string, configuration: unknown): Promise<OpenedCache>;
  /** The stores that are still open. */
  opened(): LoadedPlugin[];
}

/**
 * Opens cache stores with the current configuration. The code of a plugin is imported when its first store is opened.
 */
export function makeCacheOpener(
  manifests: readonly PluginManifest[],
  environment: PluginEnvironment,
): CacheOpener {
  const opened = new Set<LoadedPlugin>();
  const { times, log } = environment;
  return {
    opened: () => [...opened],
    async open(id, configuration) {
      const manifest = manifests.find((one) => one.kind === 'cache' && one.id === id);
      if (!manifest) throw new PluginError('not_selected', `No plugin for the cache "${id}" is installed.`);
      const definition = await importPlugin(manifest, { times });
      const plugin = await createPlugin(manifest, definition, {
        ...environment,
        watch: undefined,
        configurationOf: () => configuration,
      });
      await startPlugin(plugin, { times, schema: environment.schema });
      opened.add(plugin);
      return {
        store: plugin.instance as CacheStore,
        health: () => healthOf(plugin, times),
        close: async () => {
          opened.delete(plugin);
          await stopPlugin(plugin, times).catch((error: unknown) => {
            log.warn('a cache store could not be closed', { error });
          });
        },
      };
    },
  };
}
