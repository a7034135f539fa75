import type { PluginInstance, StorageBackend } from '@holdfast/core/server';
import { loadConfiguredPlugins } from '../composition/load-plugins.js';
import type { Configuration } from '../config.js';
import { CommandError } from './exit.js';
import { folderForPlugins } from './folder-for-plugins.js';
import { quietLog } from './quiet-log.js';

/** The storage that the configuration names, made and not started. */
export async function storageOf(configuration: Configuration): Promise<PluginInstance<StorageBackend>> {
  const { dataDirectory, close } = await folderForPlugins(configuration);
  try {
    return (await loadConfiguredPlugins({ ...configuration, dataDirectory }, quietLog)).ports.storage;
  } finally {
    await close();
  }
}

/**
 * Runs the work on the started storage of an installation. CommandError when there is none, or one that a start
 * would have to bring up to date: a command makes no database by mistake, and changes none under an older service.
 */
export async function withStorage<T>(
  configuration: Configuration,
  work: (storage: StorageBackend) => Promise<T>,
): Promise<T> {
  const storage = await storageOf(configuration);
  await refuseOther(storage);
  return whileStarted(storage, () => work(storage));
}

export async function whileStarted<T>(
  storage: PluginInstance<StorageBackend>,
  work: () => Promise<T>,
): Promise<T> {
  await storage.start?.();
  try {
    return await work();
  } finally {
    await storage.stop?.();
  }
}

/** CommandError unless the storage has the schema of this program. */
export async function refuseOther(storage: PluginInstance<StorageBackend>): Promise<void> {
  const found = await storage.examine?.();
  if (!found?.schema) return;
  const { stored, newest } = found.schema;
  if (stored === newest) return;
  const text = found.findings.map(({ text }) => text).at(-1);
  if (stored === null) {
    throw new CommandError(`${text} Set DATA_DIR and DATABASE_URL as they are for the service.`);
  }
  if (stored < newest) throw new CommandError(`${text} Start the service of this release once.`);
  throw new CommandError(`${text} Use the command of the program that wrote it.`);
}
