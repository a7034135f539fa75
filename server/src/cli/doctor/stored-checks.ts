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

/** What can only be told from the rows of a database. One that is not there, or of another release, is left alone. */
export function storedChecks(host: PluginHost, configuration: Configuration): Check[] {
  let asked: Promise<Stored> | undefined;
  const stored = () => {
    asked ??= look(host, configuration);
    return asked;
  };
  return [
    { area: 'secrets', look: async () => (await stored()).secrets },
    { area: 'sources', look: async () => (await stored()).sources },
  ];
}

async function look(host: PluginHost, configuration: Configuration): Promise<Stored> {
  const { storage } = host.ports;
  const schema = (await storage.examine?.(schemaVersions))?.schema;
  if (schema?.stored === null) return { secrets: [ok('Nothing is stored yet.')], sources: [] };
  if (!schema || schema.stored !== schema.newest) {
    const notLooked = ok('Not looked at: the database is of another release, or can not be asked.');
    return { secrets: [notLooked], sources: [] };
  }
  return whileStarted(host, async () => ({
    secrets: await openedSecrets(storage, configuration),
    sources: await readableSources(storage),
  }));
}

/** Opens one secret of each kind. */
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
    ...closed.map((name) => failed(`The secret key does not open ${name}.`, 'Give it again.')),
    ...(isRight && closed.length === 0 ? [ok(opened(open))] : []),
  ];
}

/** As the user who runs the command: it should be that of the service. */
async function readableSources(storage: StorageBackend): Promise<Finding[]> {
  const denied = await unreadableSources({ storage, files: localFiles });
  if (denied.length === 0) return [ok('No source directory of this machine is closed to this user.')];
  return denied.map(({ repository, path }) =>
    warning(
      `${path} of repository ${repository} can't be read by this user: backups would lack it.`,
      'Give the user of the service the right to read it.',
    ),
  );
}

const opened = (kinds: string[]) =>
  kinds.length === 0
    ? 'The secret key is the one of the database; nothing is sealed yet.'
    : `The secret key opens one of each kind: ${kinds.join(', ')}.`;
