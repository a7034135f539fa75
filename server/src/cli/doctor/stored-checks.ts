import {
  examineSecrets,
  type InstanceRow,
  isSecretKey,
  livingInstances,
  type PluginHost,
  schemaVersions,
  unreadableSources,
} from '@holdfast/core/server';
import type { Finding, StorageBackend } from '@holdfast/plugin-api';
import { isGone } from '../../adapters/instance-facts.js';
import { localFiles } from '../../adapters/local-files.js';
import { isEnvelope, makeSecretBox } from '../../adapters/secret-box.js';
import { findSecretKeys, keyFiles, makeKeyText, readKey } from '../../adapters/secret-key.js';
import { wrongKey } from '../../adapters/wrong-secret-key.js';
import type { Configuration } from '../../config.js';
import { whileStarted } from '../with-storage.js';
import { type Check, failed, ok, warning } from './check.js';
import { addressOf, statusAt } from './program-checks.js';

interface Stored {
  /** The processes that use the database. */
  users: InstanceRow[];
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
    {
      area: 'running service',
      run: async () => runningService(configuration, async () => (await stored()).users),
    },
    { area: 'secrets', run: async () => (await stored()).secrets },
    { area: 'sources', run: async () => (await stored()).sources },
  ];
}

async function readStored(host: PluginHost, configuration: Configuration): Promise<Stored> {
  const { storage } = host.ports;
  const schema = (await storage.examine?.(schemaVersions))?.schema;
  if (schema?.stored === null) return { users: [], secrets: [ok('No secrets are stored yet.')], sources: [] };
  if (!schema || schema.stored !== schema.newest) {
    const skipped = ok('Not checked: the database belongs to another release or does not respond.');
    return { users: [], secrets: [skipped], sources: [] };
  }
  return whileStarted(host, async () => ({
    users: await livingInstances(storage, { now: Date.now(), isGone }),
    secrets: await openedSecrets(storage, configuration),
    sources: await readableSources(storage),
  }));
}

/** A service that answers must use this database: otherwise all other lines are about something else. */
async function runningService(
  configuration: Configuration,
  users: () => Promise<InstanceRow[]>,
): Promise<Finding[]> {
  const living = await users();
  if (living.length > 0) {
    const names = living.map(({ pid, host }) => `process ${pid} on ${host}`).join(', ');
    return [ok(`This database is used by ${names}.`)];
  }
  const url = addressOf(configuration);
  if (typeof (await statusAt(url)) !== 'string') return [ok('No service uses this database now.')];
  return [
    warning(
      `The service at ${url} uses another data folder or database than this command.`,
      'Run the command with the variables of the service (DATA_DIR, DATABASE_URL) and as its user.',
    ),
  ];
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
