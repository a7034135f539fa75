import {
  examineSecrets,
  isSecretKey,
  type PluginHost,
  schemaVersions,
  unreadableSources,
} from '@holdfast/core/server';
import type { Finding, StorageBackend } from '@holdfast/plugin-api';
import { localFiles } from '../../adapters/local-files.js';
import { isEnvelope, makeSecretBox } from '../../adapters/secret-box.js';
import { findSecretKeys, keyFiles, makeKeyText, readKey } from '../../adapters/secret-key.js';
import { wrongKey } from '../../adapters/wrong-secret-key.js';
import type { Configuration } from '../../config.js';
import { whileStarted } from '../with-storage.js';
import { type Check, failed, ok, warning } from './check.js';

interface Stored {
  secrets: Finding[];
  sources: Finding[];
}

/**
 * Checks that need data from the database. They are skipped if it does not exist yet or belongs to another
 * release.
 */
export function storedChecks(host: PluginHost, configuration: Configuration): Check[] {
  let reading: Promise<Stored> | undefined;
  const stored = () => {
    reading ??= readStored(host, configuration);
    return reading;
  };
  return [
    { area: 'secrets', run: async () => (await stored()).secrets },
    { area: 'sources', run: async () => (await stored()).sources },
  ];
}

async function readStored(host: PluginHost, configuration: Configuration): Promise<Stored> {
  const { storage } = host.ports;
  const schema = (await storage.examine?.(schemaVersions))?.schema;
  if (schema?.stored === null) return { secrets: [ok('No secrets are stored yet.')], sources: [] };
  if (!schema || schema.stored !== schema.newest) {
    const skipped = ok('Not checked: the database belongs to another release or does not respond.');
    return { secrets: [skipped], sources: [] };
  }
  return whileStarted(host, async () => ({
    secrets: await openedSecrets(storage, configuration),
    sources: await readableSources(storage),
  }));
}

/** Decrypts one secret of each kind. */
async function openedSecrets(storage: StorageBackend, configuration: Configuration): Promise<Finding[]> {
  const { dataDirectory, secretKey } = configuration;
  const isMissing = secretKey === undefined && (await readKey(keyFiles(dataDirectory).key)) === null;
  const secrets = makeSecretBox(
    isMissing ? { current: makeKeyText() } : await findSecretKeys(dataDirectory, secretKey),
  );
  const check = { storage, secrets, isEnvelope };
  const { open, closed } = await examineSecrets(check);
  const isRight = await isSecretKey(check);
  return [
    ...(isRight ? [] : [failed(wrongKey(configuration, isMissing).message)]),
    ...closed.map((name) => failed(`The secret key can't decrypt ${name}.`, 'Enter it again.')),
    ...(isRight && closed.length === 0 ? [ok(opened(open))] : []),
  ];
}

/** Checks access as the current user, who should be the user of the service. */
async function readableSources(storage: StorageBackend): Promise<Finding[]> {
  const denied = await unreadableSources({ storage, files: localFiles });
  if (denied.length === 0) return [ok('This user can read all source directories on this machine.')];
  return denied.map(({ repository, path }) =>
    warning(
      `This user can't read ${path} of repository ${repository}; backups would not include it.`,
      'Allow the user of the service to read it.',
    ),
  );
}

const opened = (kinds: string[]) =>
  kinds.length === 0
    ? 'The secret key matches the database. No secrets are stored yet.'
    : `The secret key decrypts one secret of each kind: ${kinds.join(', ')}.`;
