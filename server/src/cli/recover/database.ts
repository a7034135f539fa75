import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CopyManifest,
  findInstallation,
  newestSchema,
  type PluginHost,
  type Recovered,
  readCopy,
  schemaVersions,
  settleRecovered,
} from '@holdfast/core/server';
import type { StoragePort } from '@holdfast/plugin-api';
import type { Configuration } from '../../config.js';
import { noteCommand, secretsOf } from '../audit-note.js';
import { CommandError } from '../exit.js';
import { whileStarted } from '../with-storage.js';
import type { RecoveryPlace } from './place.js';

/** Throws CommandError if the database contains anything except rows of an interrupted run. */
export async function requireEmpty(
  storage: StoragePort,
  { begun }: RecoveryPlace,
  configuration: Configuration,
): Promise<void> {
  if (!storage.copies || !storage.examine)
    throw new CommandError('The storage plugin can\'t restore a copy: it lacks "copies" or "examine".');
  const { databaseFile } = configuration;
  if (begun === databaseFile) await rm(databaseFile, { force: true });
  const { schema, findings } = await storage.examine(schemaVersions);
  if (!schema) throw new CommandError(findings.at(-1)?.text ?? 'The database does not respond.');
  if (schema.stored === null || begun === databaseOf(configuration)) return;
  throw new CommandError(
    'The database is not empty. Name an empty one with DATABASE_URL, or drop and create this one if nothing in it is ' +
      `needed. ${findings.at(-1)?.text}`,
  );
}

/** The database outside of the data folder, without secrets; null for one inside. */
function databaseOf({ databaseFile, databaseUrl, dataDirectory }: Configuration): string | null {
  if (databaseUrl === undefined) return databaseFile.startsWith(`${dataDirectory}/`) ? null : databaseFile;
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

/** The manifest of a whole copy that this release and this storage can take up. */
export async function checkedCopy(copy: string, { copies }: StoragePort): Promise<CopyManifest> {
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
  if (schema <= newestSchema) return manifest;
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

/** Fills the database and the data folder. */
export async function takeUp(
  configuration: Configuration,
  { host, place, copy, manifest, archive }: TakingUp,
): Promise<Recovered> {
  const { storage } = host.ports;
  const { dataDirectory } = configuration;
  const schema = (await storage.examine?.(schemaVersions))?.schema;
  // If it is not empty, an interrupted run had filled it, in one transaction.
  if (schema?.stored == null) {
    await place.fill(databaseOf(configuration));
    await storage.copies?.putBack(join(copy, 'database')).catch(async (error: unknown) => {
      await place.fill(null);
      throw error;
    });
  }
  await place.adopt(copy);
  // Not SECRET_KEY: the copy has the key of its database.
  const secrets = (opened: StoragePort) => secretsOf(opened, { dataDirectory, secretKey: undefined });
  return whileStarted(host, async () => {
    const box = await secrets(storage);
    if ((await findInstallation(storage)) !== manifest.installation)
      throw new CommandError(
        'The database belongs to another installation. Name an empty one with DATABASE_URL.',
      );
    const counts = await settleRecovered(storage, dataDirectory);
    const more = ` From archive ${archive} of ${manifest.made_at}, made on ${manifest.host}.`;
    await noteCommand({ storage, secrets: box }, 'commandRecover', { more });
    return counts;
  });
}
