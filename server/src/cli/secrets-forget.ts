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

/** Without `yes` it only says what the key that is there does not open; then nothing is made either. */
export function secretsForget(options: Options): Promise<number> {
  const configuration = configurationOfProcess();
  return withStorage(configuration, async (storage) => {
    if (options.yes) return forget(storage, configuration, options);
    const secrets = await presentSecrets(configuration);
    const check = { storage, secrets, isEnvelope };
    const names = await findLostSecrets(check);
    const isRight = await isSecretKey(check);
    tell(options, { forgotten: false, secrets: names }, () => {
      if (isRight && names.length === 0)
        return ['The secret key opens everything: there is nothing to forget.'];
      return [
        'The secret key that is there does not open:',
        ...names.map((name) => `- ${name}`),
        `Nothing was changed. If the right key is lost, forget them: holdfast secrets forget --yes`,
      ];
    });
    return 0;
  });
}

/** With a key that nobody has where there is none: it opens nothing. */
async function presentSecrets({ dataDirectory, secretKey }: Configuration) {
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
      : ` Forgotten: ${names.join(', ')}. Earlier entries were taken over as they stood.`;
  await noteCommand({ storage, secrets }, 'commandForgetSecrets', { more: note });
  tell(options, { forgotten: true, secrets: names }, () => [
    ...(names.length === 0 ? ['Nothing had to be forgotten.'] : ['Forgotten:']),
    ...names.map((name) => `- ${name}`),
    'The secret key that is there is the one of this database now. Start the service, and give again what is needed:',
    '- passphrases: PUT /api/repositories/{id}/passphrase; key files: POST /api/repositories/{id}/keyfile',
    '- the SSH key: POST /api/ssh-keys/generate, then POST /api/ssh-keys/connections/{id}/redeploy',
    '- notifications, which are switched off: PUT /api/notifications/{id} with service_url and enabled',
    '- parameters of scripts: where the script is attached, and in the schedule',
  ]);
  return 0;
}

function tell({ json }: Options, told: object, lines: () => string[]): void {
  console.log(json ? JSON.stringify(told) : lines().join('\n'));
}
