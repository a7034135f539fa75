import { rm } from 'node:fs/promises';
import type { PluginInstance } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import plugin from '../src/index.js';

const made: PluginInstance<BackupDriver>[] = [];

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
  made.push(driver);
  await driver.start?.();
  return driver;
}

/** Stops the drivers first: one that has just started still writes into its data folder. */
export async function stopAndRemove(folder: string): Promise<void> {
  await Promise.all(made.splice(0).map((driver) => driver.stop?.()));
  await rm(folder, { recursive: true, force: true });
}
