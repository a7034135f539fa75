/** Finds, checks, loads, starts and watches plugins. */

export {
  ImporterFailure,
  type ImporterProcess,
  type IsolatedImporter,
  importerOf,
  isolatedImporter,
  type OpenImporter,
} from './isolated-importer.js';
export {
  type LoadedSource,
  loadPlugins,
  type PluginDescription,
  type PluginHost,
  type PluginHostOptions,
  type PluginSelection,
  type SharedCache,
} from './plugin-host.js';
export {
  createPlugin,
  importPlugin,
  type LoadedPlugin,
  type PluginTimes,
  pluginTimes,
  startPlugin,
  stopPlugin,
} from './plugin-loader.fs.js';
export { type PluginManifest, readPluginManifest } from './plugin-manifest.fs.js';
export {
  PluginError,
  type PluginErrorCode,
  type PluginOrigin,
  type PluginSource,
  type StepWatch,
} from './plugin-step.js';
export { viewPlugin } from './plugin-view.js';
export { makeToolVersion, type ToolVersion } from './tool-version.js';
