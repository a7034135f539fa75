import type { PluginKind, PortOf } from '@holdfast/plugin-api';
import { driverOperations } from '../../foundation/ports/driver-operations.js';
import type { FailedPlugin, InstalledPlugin } from './plugin-choice.js';
import { healthOf, type LoadedPlugin, noticesOf, type PluginTimes } from './plugin-loader.fs.js';
import type { PluginOrigin } from './plugin-step.js';

export interface PluginDescription {
  /**
   * Name of the package. When the package could not be read, the name as configured; the next three fields are then
   * null.
   */
  name: string;
  version: string | null;
  kind: PluginKind | null;
  id: string | null;
  /** Operations of a driver or schemes of a notification transport; empty for other kinds. */
  capabilities: string[];
  from: PluginOrigin;
  optional: boolean;
  /** False: installed, but another plugin of this kind is used. */
  chosen: boolean;
  /** Null when healthy or not used, else one sentence. */
  health: string | null;
  /** For a driver in use: what is not available on this machine, one sentence each. These are not errors. */
  notices: string[];
}

export interface DescribedPlugins {
  installed: readonly InstalledPlugin[];
  failed: readonly FailedPlugin[];
  /** The plugins in use. */
  loaded: readonly LoadedPlugin[];
}

/** Asks each plugin in use for its health. Never rejects. */
export function describePlugins(
  { installed, failed, loaded }: DescribedPlugins,
  times: PluginTimes,
): Promise<PluginDescription[]> {
  const unreadable = failed.filter(({ manifest }) => !installed.some((one) => one.manifest === manifest));
  const all: readonly (InstalledPlugin | FailedPlugin)[] = [...installed, ...unreadable];
  return Promise.all(
    all.map(async ({ manifest, source: { name, from, optional } }) => {
      const plugin = loaded.find((one) => one.manifest === manifest);
      const failure = failed.find(
        (one) => one.source.name === name && one.source.from === from && one.manifest === manifest,
      );
      return {
        name: manifest?.package ?? name,
        version: manifest?.version ?? null,
        kind: manifest?.kind ?? null,
        id: manifest?.id ?? null,
        capabilities: plugin ? capabilitiesOf(plugin) : (manifest?.schemes ?? []),
        from,
        optional,
        chosen: plugin !== undefined || failure !== undefined,
        health: plugin ? await healthOf(plugin, times) : (failure?.error.message ?? null),
        notices: plugin?.manifest.kind === 'driver' ? await noticesOf(plugin) : [],
      };
    }),
  );
}

function capabilitiesOf({ manifest, instance }: LoadedPlugin): string[] {
  if (manifest.kind === 'notify') return manifest.schemes;
  if (manifest.kind !== 'driver') return [];
  const driver = instance as PortOf['driver'];
  return driverOperations.filter((name) => typeof driver[name] === 'function');
}
