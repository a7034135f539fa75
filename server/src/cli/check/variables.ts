import type { PluginManifest, Redactor } from '@holdfast/core/server';
import type { PluginDefinition } from '@holdfast/plugin-api';
import { PluginConfiguration, variablePrefix } from '../../composition/plugin-configuration.js';
import { forgetPluginVariables, readOtherVariables } from '../../other-variables.js';
import { quietLog } from '../quiet-log.js';

/** The variables of one plugin as the service reads them, taken out of the environment at once. */
export function takeVariables(manifest: PluginManifest, redactor: Redactor) {
  const all = Object.entries(readOtherVariables(process.env, []).pluginVariables);
  const own = all.filter(([name]) => name.startsWith(variablePrefix(manifest)));
  forgetPluginVariables(process.env);
  const reader = new PluginConfiguration(Object.fromEntries(own), [manifest], redactor);
  return {
    names: own.map(([name]) => name),
    /** Tells of those that the plugin does not take. */
    read(schema: PluginDefinition['configuration']): Record<string, unknown> {
      const configuration = reader.read(manifest, schema);
      reader.warnOfRest({ ...quietLog, warn: (_, facts) => console.error(strange(manifest, facts)) });
      return configuration;
    },
  };
}

function strange({ package: name }: PluginManifest, facts: object | undefined): string {
  const { variable, nearest } = facts as { variable: string; nearest: string | null };
  return `${name} does not take ${variable}${nearest ? `; the nearest that it takes is ${nearest}` : ''}.`;
}
