import { resolve } from 'node:path';
import {
  type CopyManifest,
  findInstallation,
  newestSchema,
  schemaVersions,
  writeCopy,
} from '@holdfast/core/server';
import { findSecretKeys, keyFiles, readKey } from '../adapters/secret-key.js';
import { systemClock } from '../adapters/system-clock.js';
import type { Configuration } from '../config.js';
import { serverVersion } from '../server-version.js';
import { noteCommand, secretsOf } from './audit-note.js';
import { configurationOfProcess } from './environment.js';
import { CommandError } from './exit.js';
import { hostOf, requireCurrentSchema, whileStarted } from './with-storage.js';

/**
 * Copies the installation next to a running service. The copy gets its final name when complete. A database
 * of an older release is copied unchanged, which allows a downgrade after an upgrade.
 */
export async function storageCopy(folder: string, { json }: { json?: boolean }): Promise<number> {
  const configuration = configurationOfProcess();
  const place = resolve(folder);
  const host = await hostOf(configuration);
  const { storage } = host.ports;
  const stored = (await storage.examine?.(schemaVersions))?.schema?.stored;
  const isOlder = stored != null && stored < newestSchema;
  if (isOlder) {
    const copying = { ...(await partsOf(configuration)), storage, schema: stored };
    report(
      place,
      await writeCopy({ ...copying, settings: { ...configuration, installation: '' } }, place),
      json,
    );
    return 0;
  }
  await requireCurrentSchema(host);
  return whileStarted(host, async () => {
    const secrets = await secretsOf(storage, configuration);
    const settings = { ...configuration, installation: await findInstallation(storage) };
    const copying = { ...(await partsOf(configuration)), storage, settings, schema: newestSchema };
    const manifest = await writeCopy(copying, place);
    await noteCommand({ storage, secrets }, 'commandCopyStorage', { more: ` Into ${place}.` });
    report(place, manifest, json);
    return 0;
  });
}

async function partsOf({ dataDirectory, secretKey }: Configuration) {
  const { key } = keyFiles(dataDirectory);
  // A command never makes a key.
  if (secretKey === undefined && (await readKey(key)) === null)
    throw new CommandError(
      `There is no secret key in ${key}. Set DATA_DIR or SECRET_KEY to the values that Holdfast runs with.`,
    );
  return { clock: systemClock, serverVersion, ownKeys: await findSecretKeys(dataDirectory, secretKey) };
}

function report(folder: string, { files, ...about }: CopyManifest, json?: boolean): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (json) {
    console.log(JSON.stringify({ folder, ...about, files: files.length, bytes }));
    return;
  }
  console.log(`Copied the database, the secret key and the data of plugins to ${folder}: ${bytes} bytes.`);
  console.log('Anyone who has this folder can open all repositories. Keep it as safe as the data folder.');
}
