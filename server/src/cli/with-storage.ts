import {
  type PluginDescription,
  type PluginHost,
  type PluginManifest,
  schemaVersions,
} from '@holdfast/core/server';
import type { StorageBackend } from '@holdfast/plugin-api';
import { loadConfiguredPlugins } from '../composition/load-plugins.js';
import type { Configuration } from '../config.js';
import { CommandError } from './exit.js';
import { folderForPlugins } from './folder-for-plugins.js';
import { quietLog } from './quiet-log.js';

/** Loads the configured plugins without starting them. `use` selects among the added ones. */
export async function hostOf(
  configuration: Configuration,
  use?: (manifest: PluginManifest) => boolean,
): Promise<PluginHost> {
  const { dataDirectory, close } = await folderForPlugins(configuration);
  try {
    const options = use ? { use } : {};
    const host = await loadConfiguredPlugins({ ...configuration, dataDirectory }, quietLog, options);
    if (dataDirectory !== configuration.dataDirectory) await rejectAddedStorage(host, configuration);
    return host;
  } finally {
    await close();
  }
}

/** The storage in use, if it is an added plugin. */
export async function addedStorageOf(host: PluginHost): Promise<PluginDescription | undefined> {
  const plugins = await host.describe();
  return plugins.find(({ kind, chosen, from }) => kind === 'storage' && chosen && from !== 'built-in');
}

/** Data that an added storage keeps in its folder would be deleted with the temporary folder. */
async function rejectAddedStorage(host: PluginHost, { dataDirectory }: Configuration): Promise<void> {
  const added = await addedStorageOf(host);
  if (!added) return;
  throw new CommandError(
    `The storage ${added.name} may keep data in DATA_DIR ${dataDirectory}, which this user does not own. ` +
      'Run this as the service user.',
  );
}

/**
 * Runs the work on the started storage of an installation. CommandError if there is no database or if it
 * would need a migration: a command must not create a database by mistake or migrate it under an older
 * service.
 */
export async function withStorage<T>(
  configuration: Configuration,
  work: (storage: StorageBackend) => Promise<T>,
): Promise<T> {
  const host = await hostOf(configuration);
  await requireCurrentSchema(host);
  return whileStarted(host, () => work(host.ports.storage));
}

/** Starts only the storage plugin, runs the work, and stops it. */
export async function whileStarted<T>(host: PluginHost, work: () => Promise<T>): Promise<T> {
  await host.start(['storage']);
  try {
    return await work();
  } finally {
    await host.stop();
  }
}

/** CommandError unless the storage has the schema version of this program. */
export async function requireCurrentSchema({ ports: { storage } }: PluginHost): Promise<void> {
  const found = await storage.examine?.(schemaVersions);
  if (!found?.schema) return;
  const { stored, newest } = found.schema;
  if (stored === newest) return;
  const text = found.findings.map(({ text }) => text).at(-1);
  if (stored === null) {
    throw new CommandError(`${text} Set DATA_DIR and DATABASE_URL to the values that Holdfast runs with.`);
  }
  if (stored < newest) throw new CommandError(`${text} Start this release of Holdfast once.`);
  throw new CommandError(`${text} Use the command of the release that wrote it.`);
}
