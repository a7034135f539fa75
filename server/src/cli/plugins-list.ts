import type { PluginDescription } from '@holdfast/core/server';
import { loadConfiguredPlugins } from '../composition/load-plugins.js';
import { configurationOfProcess } from './environment.js';
import { folderForPlugins } from './folder-for-plugins.js';
import { quietLog } from './quiet-log.js';

const header = ['KIND', 'ID', 'NAME', 'VERSION', 'CHOSEN', 'FROM', 'SCHEMES'];

/** A plugin that can't be loaded ends the command with an error, just as it ends the start of the service. */
export async function pluginsList({ json }: { json?: boolean }): Promise<number> {
  const configuration = configurationOfProcess();
  const { dataDirectory, close } = await folderForPlugins(configuration);
  try {
    const host = await loadConfiguredPlugins({ ...configuration, dataDirectory }, quietLog);
    // Health is meaningless, because no plugin was started.
    const plugins = (await host.describe()).map(({ health: _, ...plugin }) => plugin);
    if (json) console.log(JSON.stringify(plugins, null, 2));
    else for (const line of linesOf(plugins)) console.log(line);
    return 0;
  } finally {
    await close();
  }
}

type Listed = Omit<PluginDescription, 'health'> & { chosen?: boolean; from?: string };

function linesOf(plugins: Listed[]): string[] {
  const rows = plugins.map(({ kind, id, name, version, chosen, from, capabilities }) =>
    [
      kind,
      id,
      name,
      version,
      chosen === false ? 'no' : 'yes',
      from,
      kind === 'notify' ? capabilities.join(' ') : '',
    ].map((cell) => cell ?? '-'),
  );
  const table = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
