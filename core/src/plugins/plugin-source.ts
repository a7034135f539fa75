/** Where a plugin was found. */
export const pluginOrigins = ['built-in', 'PLUGINS', 'data folder'] as const;
export type PluginOrigin = (typeof pluginOrigins)[number];

/** One package that may be a plugin. */
export interface PluginSource {
  /** The name of a package, or a folder, as it was given. */
  name: string;
  from: PluginOrigin;
  /** The service starts without it when it fails. */
  optional: boolean;
}

export const builtIn = (name: string): PluginSource => ({ name, from: 'built-in', optional: false });
