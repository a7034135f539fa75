import type { PluginManifest, Redactor } from '@holdfast/core/server';
import type { PluginDefinition } from '@holdfast/plugin-api';
import { PluginConfiguration, variablePrefix } from '../../composition/plugin-configuration.js';
import { forgetPluginVariables, readOtherVariables } from '../../other-variables.js';
import { quietLog } from '../quiet-log.js';

/** Reads the variables of one plugin as the service does, and removes them from the environment. */
export function takeVariables(manifest: PluginManifest, redactor: Redactor) {
  const all = Object.entries(readOtherVariables(process.env, []).pluginVariables);
  const own = all.filter(([name]) => name.startsWith(variablePrefix(manifest)));
  forgetPluginVariables(process.env);
  const reader = new PluginConfiguration(Object.fromEntries(own), [manifest], redactor);
  return {
    names: own.map(([name]) => name),
    /** Warns about variables that the plugin does not know. */
    read(schema: PluginDefinition['configuration']): Record<string, unknown> {
      const configuration = reader.read(manifest, schema);
      reader.warnOfRest({ ...quietLog, warn: (_, facts) => console.error(unknownVariable(manifest, facts)) });
      return configuration;
    },
  };
}

function unknownVariable({ package: name }: PluginManifest, facts: object | undefined): string {
  const { variable, nearest } = facts as { variable: string; nearest: string | null };
  return `${name} does not know ${variable}${nearest ? `. Did you mean ${nearest}?` : '.'}`;
}
