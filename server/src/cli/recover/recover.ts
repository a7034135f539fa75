import { chown, mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CopyManifest,
  type PluginHost,
  type Recovered,
  readCopy,
  schemaVersions,
  settleRecovered,
} from '@holdfast/core/server';
import type { StoragePort } from '@holdfast/plugin-api';
import type { Configuration } from '../../config.js';
import { askSecret } from '../ask.js';
import { noteCommand, secretsOf } from '../audit-note.js';
import { configurationOfProcess } from '../environment.js';
import { CommandError } from '../exit.js';
import { hostOf, whileStarted } from '../with-storage.js';
import { type FoundCopy, findCopy } from './find-copy.js';
import { openPlace, type RecoveryPlace } from './place.js';
import { report } from './report.js';
import { locationOf, targetOf, type Wanted } from './repository.js';

interface Options extends Wanted {
  dataDir?: string;
  archive?: string;
  json?: boolean;
}

export interface Result extends Recovered {
  manifest: CopyManifest;
  archive: string;
  repository: string;
  dataDirectory: string;
}

/**
 * Puts an installation back from its own backup into an empty data folder and an empty database. All or nothing: what a
 * killed run leaves is refused by the service, and replaced by the next run.
 */
export async function recover({ dataDir, json, ...wanted }: Options): Promise<number> {
  if (dataDir !== undefined) process.env.DATA_DIR = dataDir;
  const configuration = configurationOfProcess();
  const { location } = locationOf(wanted.repository);
  const place = await openPlace(configuration);
  try {
    const host = await hostFor(configuration, place);
    await requireEmpty(host.ports.storage, place, configuration);
    const passphrase = await askSecret(`Passphrase of ${location}`, { twice: false });
    const target = await targetOf(wanted, { passphrase, folder: place.work });
    const found = await findCopy(host.ports.driver, target, wanted.archive);
    const copy = await extract(host, { target, found, place });
    const manifest = await checkedCopy(copy, host.ports.storage);
    const counts = await takeUp(configuration, { host, place, copy, manifest, archive: found.archive.name });
    await place.finish();
    const about = { manifest, archive: found.archive.name, repository: location };
    report({ ...counts, ...about, dataDirectory: configuration.dataDirectory }, json);
    return 0;
  } catch (error) {
    // A database of another server that was filled is recognised by the next run.
    if (!place.filled) await place.abandon();
    throw asCommandError(error);
  }
}

/** The plugins keep their own data in the folder that goes when the recovery ends. */
const hostFor = (configuration: Configuration, { work }: RecoveryPlace): Promise<PluginHost> =>
  hostOf({ ...configuration, dataDirectory: work }, ({ kind }) => kind === 'storage');

async function requireEmpty(
  storage: StoragePort,
  { begun }: RecoveryPlace,
  { databaseFile, databaseUrl, dataDirectory }: Configuration,
): Promise<void> {
  if (!storage.copies || !storage.examine)
    throw new CommandError('The storage plugin can\'t take up a copy: it lacks "copies" or "examine".');
  const isElsewhere = databaseUrl === undefined && !databaseFile.startsWith(`${dataDirectory}/`);
  if (isElsewhere && begun === databaseFile) await rm(databaseFile, { force: true });
  const { schema, findings } = await storage.examine(schemaVersions);
  if (!schema) throw new CommandError(findings.at(-1)?.text ?? 'The database does not respond.');
  if (schema.stored === null || begun !== null) return;
  throw new CommandError(
    'The database is not empty. Name an empty one with DATABASE_URL, or drop and create this one if nothing in it is ' +
      `needed. ${findings.at(-1)?.text}`,
  );
}

async function extract(
  { ports: { driver } }: PluginHost,
  work: { target: Parameters<typeof findCopy>[1]; found: FoundCopy; place: RecoveryPlace },
): Promise<string> {
  const { target, found, place } = work;
  if (!driver.extract) throw new CommandError("The driver of the backup tool can't extract archives.");
  const { bavail, bsize } = await statfs(place.work);
  // Once as extracted, and once as the database of the service.
  const needed = found.bytes * 2;
  if (bavail * bsize < needed) {
    const mebibytes = (bytes: number) => Math.ceil(bytes / (1 << 20));
    throw new CommandError(
      `The recovery needs ${mebibytes(needed)} MiB, but only ${mebibytes(bavail * bsize)} MiB are free in ${place.work}.`,
    );
  }
  const folder = join(place.work, 'extracted');
  await mkdir(folder, { mode: 0o700 });
  await driver.extract(target, { archive: found.archive.name, paths: [found.path], folder });
  const copy = join(folder, found.path);
  await own(copy);
  return copy;
}

/** Root extracts files for the user that they belonged to on the old machine. */
async function own(folder: string): Promise<void> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return;
  for (const name of ['', ...(await readdir(folder, { recursive: true }))])
    await chown(join(folder, name), uid, gid);
}

async function checkedCopy(copy: string, { copies }: StoragePort): Promise<CopyManifest> {
  const manifest = await readCopy(copy);
  const { schema, database, holdfast } = manifest;
  if (database !== copies?.form) {
    const names: Record<string, string> = { postgres: 'PostgreSQL', sqlite: 'SQLite' };
    const advice: Record<string, string> = {
      postgres: 'Set DATABASE_URL to an empty PostgreSQL database.',
      sqlite: 'Run the command without DATABASE_URL; "holdfast storage move" moves it afterwards.',
    };
    throw new CommandError(
      `The copy is of ${names[database] ?? `a storage "${database}"`}. ${advice[database] ?? 'Add its plugin to PLUGINS.'}`,
    );
  }
  if (schema <= Math.max(...schemaVersions.map(({ version }) => version))) return manifest;
  throw new CommandError(
    `The copy was made by Holdfast ${holdfast}. Recover it with that release or a newer one.`,
  );
}

interface TakingUp {
  host: PluginHost;
  place: RecoveryPlace;
  copy: string;
  manifest: CopyManifest;
  archive: string;
}

async function takeUp(
  configuration: Configuration,
  { host, place, copy, manifest, archive }: TakingUp,
): Promise<Recovered> {
  const { storage } = host.ports;
  const { dataDirectory, databaseFile, databaseUrl } = configuration;
  const schema = (await storage.examine?.(schemaVersions))?.schema;
  // An interrupted run had filled it, in one transaction.
  const isFilled = schema?.stored != null && place.begun !== null;
  await place.fill(databaseUrl === undefined ? databaseFile : 'DATABASE_URL');
  if (!isFilled) await storage.copies?.putBack(join(copy, 'database'));
  await place.adopt(copy);
  // Not SECRET_KEY: the copy has the key of its database.
  const secrets = (opened: StoragePort) => secretsOf(opened, { dataDirectory, secretKey: undefined });
  return whileStarted(host, async () => {
    const box = await secrets(storage);
    const counts = await settleRecovered(storage, dataDirectory);
    const more = ` From archive ${archive} of ${manifest.made_at}, made on ${manifest.host}.`;
    await noteCommand({ storage, secrets: box }, 'commandRecover', { more });
    return counts;
  });
}

/** Failures of the backup tool and of SSH are for the user to fix as well. */
function asCommandError(error: unknown): unknown {
  const { name, message } = error as Error;
  return ['DriverError', 'RemoteHostError'].includes(name) ? new CommandError(message) : error;
}
