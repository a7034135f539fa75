import { resolve } from 'node:path';
import { type CopyManifest, findInstallation, writeCopy } from '@holdfast/core/server';
import { findSecretKeys } from '../adapters/secret-key.js';
import { systemClock } from '../adapters/system-clock.js';
import { serverVersion } from '../server-version.js';
import { noteCommand, secretsOf } from './audit-note.js';
import { configurationOfProcess } from './environment.js';
import { withStorage } from './with-storage.js';

/** Copies the installation beside a running service. The copy is whole once it has its name. */
export function storageCopy(folder: string, { json }: { json?: boolean }): Promise<number> {
  const configuration = configurationOfProcess();
  return withStorage(configuration, async (storage) => {
    const { dataDirectory, secretKey } = configuration;
    const secrets = await secretsOf(storage, configuration);
    const place = resolve(folder);
    const copying = {
      ...{ storage, clock: systemClock, serverVersion },
      ownKeys: await findSecretKeys(dataDirectory, secretKey),
      settings: { dataDirectory, installation: await findInstallation(storage) },
    };
    const manifest = await writeCopy(copying, place);
    await noteCommand({ storage, secrets }, 'commandCopyStorage', { more: ` Into ${place}.` });
    report(place, manifest, json);
    return 0;
  });
}

function report(folder: string, { files, ...about }: CopyManifest, json?: boolean): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (json) {
    console.log(JSON.stringify({ folder, ...about, files: files.length, bytes }));
    return;
  }
  console.log(`Copied the database, the secret key and the data of plugins to ${folder}: ${bytes} bytes.`);
  console.log('Whoever has this folder can open all repositories. Keep it as safe as the data folder.');
}
