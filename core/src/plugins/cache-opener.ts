import type { CacheStore } from '@holdfast/plugin-api';
import {
  createPlugin,
  healthOf,
  importPlugin,
  type LoadedPlugin,
  type PluginSurroundings,
  startPlugin,
  stopPlugin,
} from './plugin-loader.fs.js';
import type { PluginManifest } from './plugin-manifest.fs.js';
import { PluginError } from './plugin-step.js';

/** A cache store that was opened beside the selected one. */
export interface OpenedCache {
  store: CacheStore;
  /** Null when it works, else one sentence. */
  health(): Promise<string | null>;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface CacheOpener {
  open(id: string, configuration: unknown): Promise<OpenedCache>;
  /** Those that were not closed yet. */
  opened(): LoadedPlugin[];
}

/** Opens stores of cache plugins with the configuration of the moment; their code is imported with the first one. */
export function makeCacheOpener(
  manifests: readonly PluginManifest[],
  surroundings: PluginSurroundings,
): CacheOpener {
  const opened = new Set<LoadedPlugin>();
  const { times, log } = surroundings;
  return {
    opened: () => [...opened],
    async open(id, configuration) {
      const manifest = manifests.find((one) => one.kind === 'cache' && one.id === id);
      if (!manifest) throw new PluginError('not_selected', `No installed plugin is the cache "${id}".`);
      const definition = await importPlugin(manifest, { times });
      const plugin = await createPlugin(manifest, definition, {
        ...surroundings,
        watch: undefined,
        configurationOf: () => configuration,
      });
      await startPlugin(plugin, { times, schema: surroundings.schema });
      opened.add(plugin);
      return {
        store: plugin.instance as CacheStore,
        health: () => healthOf(plugin, times),
        close: async () => {
          opened.delete(plugin);
          await stopPlugin(plugin, times).catch((error: unknown) => {
            log.warn('a cache store did not close well', { error });
          });
        },
      };
    },
  };
}
