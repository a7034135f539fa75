import { examineSecrets, type Finding, isSecretKey, type PluginHost } from '@holdfast/core/server';
import { isEnvelope, makeSecretBox } from '../../adapters/secret-box.js';
import { findSecretKeys, keyFiles, makeKeyText, readKey } from '../../adapters/secret-key.js';
import { wrongKey } from '../../adapters/wrong-secret-key.js';
import type { Configuration } from '../../config.js';
import { whileStarted } from '../with-storage.js';
import { failed, ok } from './check.js';

/** Opens one secret of each kind. A database that is not there, or of another release, is left alone. */
export async function storedSecrets(host: PluginHost, configuration: Configuration): Promise<Finding[]> {
  const { storage } = host.ports;
  const schema = (await storage.examine?.())?.schema;
  if (schema?.stored === null) return [ok('Nothing is stored yet.')];
  if (!schema || schema.stored !== schema.newest) {
    return [ok('Not looked at: the database is of another release, or can not be asked.')];
  }
  const { dataDirectory, secretKey } = configuration;
  const isMissing = secretKey === undefined && (await readKey(keyFiles(dataDirectory).key)) === null;
  const secrets = makeSecretBox(
    isMissing ? { current: makeKeyText() } : await findSecretKeys(dataDirectory, secretKey),
  );
  return whileStarted(storage, async () => {
    const check = { storage, secrets, isEnvelope };
    const { open, closed } = await examineSecrets(check);
    const isRight = await isSecretKey(check);
    return [
      ...(isRight ? [] : [failed(wrongKey(configuration, isMissing).message)]),
      ...closed.map((name) => failed(`The secret key does not open ${name}.`, 'Give it again.')),
      ...(isRight && closed.length === 0 ? [ok(opened(open))] : []),
    ];
  });
}

const opened = (kinds: string[]) =>
  kinds.length === 0
    ? 'The secret key is the one of the database; nothing is sealed yet.'
    : `The secret key opens one of each kind: ${kinds.join(', ')}.`;
