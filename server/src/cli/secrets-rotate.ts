import { askSecret } from '@holdfast/cli/service';
import { type Resealed, type Resealing, resealSecrets, verifySecrets } from '@holdfast/core/server';
import { isEnvelope, makeSecretBox } from '../adapters/secret-box.js';
import { findSecretKeys, keyFiles, makeKeyText, shortestKeyText } from '../adapters/secret-key.js';
import { adoptNextKey, prepareNextKey } from '../adapters/secret-key-change.js';
import { claimMatchingKey } from '../adapters/wrong-secret-key.js';
import type { Configuration } from '../config.js';
import { noteCommand } from './audit-note.js';
import { configurationOfProcess } from './environment.js';
import { CommandError } from './exit.js';
import { refuseUsers } from './refuse-users.js';
import { withStorage } from './with-storage.js';

interface Options {
  ask?: boolean;
  json?: boolean;
}

/**
 * Safe to interrupt at any point: the new key is on disk before it is used, all secrets are encrypted in one
 * transaction, and the old keys stay in the data folder. The service reads all of these files.
 */
export function secretsRotate({ ask, json }: Options): Promise<number> {
  const configuration = configurationOfProcess();
  return withStorage(configuration, async (storage) => {
    await refuseUsers(storage);
    const { dataDirectory } = configuration;
    const keys = await findSecretKeys(dataDirectory, configuration.secretKey);
    if (keys.isNew) await claimMatchingKey(storage, { keys, place: configuration });
    const next = await prepareNextKey(dataDirectory, async () => (ask ? await askKey() : makeKeyText()));
    const after = makeSecretBox({ current: next });
    const work: Resealing = {
      storage,
      before: makeSecretBox(keys),
      after,
      isEnvelope,
      refuseUsers,
    };
    const resealed = await resealSecrets(work);
    const opened = await verifySecrets(work);
    await adoptNextKey(
      dataDirectory,
      [keys.current, ...keys.former].filter((key) => key !== next),
    );
    await noteCommand({ storage, secrets: after }, 'commandRotateSecrets');
    report(configuration, { ...resealed, opened }, json);
    return 0;
  });
}

async function askKey(): Promise<string> {
  const key = (await askSecret('New key')).trim();
  if (key.length >= shortestKeyText) return key;
  throw new CommandError(
    `The new key must have at least ${shortestKeyText} characters. Nothing was changed.`,
  );
}

type Result = Resealed & { opened: number };

function report({ dataDirectory, secretKey }: Configuration, result: Result, json?: boolean): void {
  if (json) {
    console.log(JSON.stringify({ ...result, key_file: keyFiles(dataDirectory).key }));
    return;
  }
  const { resealed, already, orphaned, opened } = result;
  console.log(
    `${resealed} secrets were encrypted with the new key, ${already} were already. All ${opened} can be decrypted with it.`,
  );
  if (orphaned > 0)
    console.log(`${orphaned} parameter values no longer belong to a script and were not changed.`);
  const { key, former } = keyFiles(dataDirectory);
  console.log(`The new key is in ${key}. The old one stays in ${former}, for backups of the database.`);
  if (secretKey === undefined) return;
  console.log(`Now remove SECRET_KEY from the environment of Holdfast, or set it to the content of ${key}.`);
}
