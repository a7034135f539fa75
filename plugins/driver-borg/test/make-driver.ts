import type { PluginInstance } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import plugin from '../src/index.js';

/** The plugin as the host makes it. */
export async function makeDriver(dataFolder: string, binary = 'borg'): Promise<PluginInstance<BackupDriver>> {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const driver = await plugin.create({
    configuration: plugin.configuration.parse({ binary }),
    dataFolder,
    fetch,
    clock: { now: () => Date.now() },
    log: { ...log, child: () => log } as never,
  });
  await driver.start?.();
  return driver;
}
