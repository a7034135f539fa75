import { findLostSecrets, forgetSecrets, isSecretKey } from '@holdfast/core/server';
import type { StorageBackend } from '@holdfast/plugin-api';
import { isEnvelope, makeSecretBox } from '../adapters/secret-box.js';
import { findSecretKeys, keyFiles, makeKeyText, readKey } from '../adapters/secret-key.js';
import type { Configuration } from '../config.js';
import { noteCommand } from './audit-note.js';
import { configurationOfProcess } from './environment.js';
import { refuseUsers } from './refuse-users.js';
import { withStorage } from './with-storage.js';

interface Options {
  yes?: boolean;
  json?: boolean;
}

/** Without `yes` it only lists the secrets that the current key can't decrypt, and creates nothing. */
export function secretsForget(options: Options): Promise<number> {
  const configuration = configurationOfProcess();
  return withStorage(configuration, async (storage) => {
    if (options.yes) return forget(storage, configuration, options);
    const secrets = await currentSecrets(configuration);
    const check = { storage, secrets, isEnvelope };
    const names = await findLostSecrets(check);
    const isRight = await isSecretKey(check);
    report(options, { forgotten: false, secrets: names }, () => {
      if (isRight && names.length === 0)
        return ['The secret key decrypts all secrets. There is nothing to delete.'];
      return [
        'The current secret key cannot decrypt:',
        ...names.map((name) => `- ${name}`),
        `Nothing was changed. If the right key is lost, delete them with: holdfast secrets forget --yes`,
      ];
    });
    return 0;
  });
}

/** If there is no key, uses a random one that decrypts nothing. */
async function currentSecrets({ dataDirectory, secretKey }: Configuration) {
  const isThere = secretKey !== undefined || (await readKey(keyFiles(dataDirectory).key)) !== null;
  return makeSecretBox(isThere ? await findSecretKeys(dataDirectory, secretKey) : { current: makeKeyText() });
}

async function forget(
  storage: StorageBackend,
  { dataDirectory, secretKey }: Configuration,
  options: Options,
): Promise<number> {
  await refuseUsers(storage);
  const secrets = makeSecretBox(await findSecretKeys(dataDirectory, secretKey));
  const names = await forgetSecrets({ storage, secrets, isEnvelope, refuseUsers });
  const note =
    names.length === 0
      ? ''
      : ` Deleted: ${names.join(', ')}. Earlier audit entries were accepted without verification.`;
  await noteCommand({ storage, secrets }, 'commandForgetSecrets', { more: note });
  report(options, { forgotten: true, secrets: names }, () => [
    ...(names.length === 0 ? ['There was nothing to delete.'] : ['Deleted:']),
    ...names.map((name) => `- ${name}`),
    'The database now uses the current secret key. Start Holdfast and enter the secrets that you need again:',
    '- passphrases: PUT /api/repositories/{id}/passphrase; key files: POST /api/repositories/{id}/keyfile',
    '- the SSH key: POST /api/ssh-keys/generate, then POST /api/ssh-keys/connections/{id}/redeploy',
    '- notifications, which are disabled: PUT /api/notifications/{id} with service_url and enabled',
    '- script parameters: on the attached scripts and in the schedules',
  ]);
  return 0;
}

function report({ json }: Options, result: object, lines: () => string[]): void {
  console.log(json ? JSON.stringify(result) : lines().join('\n'));
}
