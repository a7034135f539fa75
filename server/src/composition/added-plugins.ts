import {
  type PluginHostOptions,
  type PluginManifest,
  type Redactor,
  readPluginManifest,
} from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import type { Configuration } from '../config.js';
import { PluginConfiguration, variableOf, variablePrefix } from './plugin-configuration.js';
import { addedPlugins } from './plugin-sources.js';

type HostOptions = Required<
  Pick<PluginHostOptions, 'added' | 'chosenBy' | 'configurationOf' | 'settingName' | 'redact'>
>;

interface AddedOptions {
  resolve(name: string): string | null;
  redactor: Redactor;
  /** Default: all, including those without a manifest. */
  use: ((manifest: PluginManifest) => boolean) | undefined;
  /** Built-in plugins that have variables too. */
  configurable: readonly Pick<PluginManifest, 'kind' | 'id'>[];
}

/** Options of the plugin host for plugins that were added to the built-in ones, and the variables of all. */
export function configureAdded(
  configuration: Configuration,
  { resolve, redactor, use, configurable }: AddedOptions,
): HostOptions & { manifests: readonly PluginManifest[]; warnOfRest(log: Log): void } {
  const isUsed = (name: string) => {
    const manifest = use && manifestOf(resolve(name));
    return !use || (manifest && use(manifest));
  };
  const added = addedPlugins(configuration, resolve).filter(({ name }) => isUsed(name));
  const manifests = added.flatMap(({ name }) => manifestOf(resolve(name)) ?? []);
  const plugins = [...manifests, ...configurable];
  const variables = new PluginConfiguration(configuration.pluginVariables, plugins, redactor);
  const hasVariables = (kind: string, id: string) =>
    plugins.some((plugin) => plugin.kind === kind && plugin.id === id);
  return {
    added,
    manifests,
    chosenBy: choosing(configuration),
    redact: (text) => redactor.redact(text),
    configurationOf: ({ schema, ...plugin }) =>
      hasVariables(plugin.kind, plugin.id) ? variables.read(plugin, schema) : {},
    settingName: (plugin, key) =>
      hasVariables(plugin.kind, plugin.id) ? variablePrefix(plugin) + variableOf(key) : key,
    warnOfRest(log) {
      for (const { name, nearest } of configuration.unknownVariables) {
        log.warn('unknown environment variable; check its spelling', { variable: name, nearest });
      }
      variables.warnOfRest(log);
    },
  };
}

/** The plugin host reports packages that can't be loaded. */
function manifestOf(folder: string | null): PluginManifest | null {
  try {
    return folder === null ? null : readPluginManifest(folder);
  } catch {
    return null;
  }
}

const choosing = ({ databaseUrlGiven, mongodbUri, cache }: Configuration): HostOptions['chosenBy'] => ({
  ...(databaseUrlGiven && { storage: 'DATABASE_URL' }),
  ...(mongodbUri !== undefined && { jobs: 'MONGODB_URI' }),
  ...(cache.url !== undefined && { cache: 'KVCACHE_URL' }),
  ...(cache.url === undefined &&
    cache.host !== undefined &&
    cache.host.toLowerCase() !== 'disabled' && { cache: 'KVCACHE_HOST' }),
});
