import {
  examineSecrets,
  type InstanceRow,
  isSecretKey,
  livingInstances,
  type PluginHost,
  schemaVersions,
} from '@holdfast/core/server';
import type { Finding, StorageBackend } from '@holdfast/plugin-api';
import { isGone } from '../../adapters/instance-facts.js';
import { isEnvelope, makeSecretBox } from '../../adapters/secret-box.js';
import { findSecretKeys, keyFiles, makeKeyText, readKey } from '../../adapters/secret-key.js';
import { wrongKey } from '../../adapters/wrong-secret-key.js';
import type { Configuration } from '../../config.js';
import { whileStarted } from '../with-storage.js';
import { type Check, failed, ok, warning } from './check.js';
import { serviceUser } from './find-service.js';
import { addressOf, statusAt } from './program-checks.js';
import { selfBackup } from './self-backup-check.js';
import type { ServicePlace } from './service-place.js';
import { readableSources } from './source-check.js';

interface Stored {
  /** The processes that use the database. */
  users: InstanceRow[];
  secrets: Finding[];
  sources: Finding[];
  selfBackup: Finding[];
}

/**
 * Checks that need data from the database. They are skipped if it does not exist yet or belongs to another
 * release.
 */
export function storedChecks(host: PluginHost, configuration: Configuration, place: ServicePlace): Check[] {
  let reading: Promise<Stored> | undefined;
  const stored = () => {
    reading ??= readStored(host, configuration, place);
    return reading;
  };
  return [
    {
      area: 'running Holdfast',
      run: async () => runningService(configuration, async () => (await stored()).users),
    },
    { area: 'secrets', run: async () => (await stored()).secrets },
    { area: 'sources', run: async () => (await stored()).sources },
    { area: 'backup of Holdfast itself', run: async () => (await stored()).selfBackup },
  ];
}

async function readStored(
  host: PluginHost,
  configuration: Configuration,
  { service }: ServicePlace,
): Promise<Stored> {
  const { storage } = host.ports;
  const schema = (await storage.examine?.(schemaVersions))?.schema;
  const nothing = { users: [], sources: [], selfBackup: [] };
  if (schema?.stored === null) return { ...nothing, secrets: [ok('No secrets are stored yet.')] };
  if (!schema || schema.stored !== schema.newest) {
    const skipped = ok('Not checked: the database belongs to another release or does not respond.');
    return { ...nothing, secrets: [skipped] };
  }
  return whileStarted(host, async () => ({
    users: await livingInstances(storage, { now: Date.now(), isGone }),
    secrets: await openedSecrets(storage, configuration),
    sources: await readableSources(
      storage,
      await serviceUser(service?.pid ?? null, configuration.dataDirectory),
    ),
    selfBackup: await selfBackup(storage),
  }));
}

/** A service that answers must use this database, or all other checks describe another installation. */
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
  if (typeof (await statusAt(url)) !== 'string') return [ok('No running Holdfast uses this database.')];
  return [
    warning(
      `Holdfast at ${url} uses another data folder or database than this command.`,
      'Run the command as the service user, with its DATA_DIR and DATABASE_URL.',
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

const opened = (kinds: string[]) =>
  kinds.length === 0
    ? 'The secret key matches the database. No secrets are stored yet.'
    : `The secret key decrypts one secret of each kind: ${kinds.join(', ')}.`;
