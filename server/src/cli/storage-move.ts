import {
  type MovedEntity,
  type MoveProgress,
  moveStorage,
  type PluginHost,
  schemaVersions,
} from '@holdfast/core/server';
import { systemClock } from '../adapters/system-clock.js';
import { readConfiguration } from '../config.js';
import { CommandError, isKnown } from './exit.js';
import { refuseUsers } from './refuse-users.js';
import { addedStorageOf, hostOf, requireCurrentSchema, whileStarted } from './with-storage.js';

interface Options {
  from?: string;
  to?: string;
  json?: boolean;
}

export async function storageMove({ from = process.env.DATABASE_URL, to, json }: Options): Promise<number> {
  const targetName = to ?? process.env.TARGET_DATABASE_URL;
  if (!targetName) throw new CommandError('Name an empty database with --to or TARGET_DATABASE_URL.');
  for (const url of [from, to]) warnOfPassword(url);
  const source = await hostAt(from, '--from');
  const target = await hostAt(targetName, to === undefined ? 'TARGET_DATABASE_URL' : '--to');
  await requireCurrentSchema(source);
  await requireEmpty(target);
  const storages = { source: source.ports.storage, target: target.ports.storage };
  const moved = await whileStarted(source, () =>
    whileStarted(target, () =>
      moveStorage({
        ...storages,
        clock: systemClock,
        onProgress: json ? () => undefined : printProgress,
        refuseUsers: async () => {
          await refuseUsers(storages.source, 'the source');
          await refuseUsers(storages.target, 'the target');
        },
      }),
    ),
  );
  report(moved, targetName, json);
  return 0;
}

/** Added storages are named by id. No database URL looks like an id. */
const isId = (place: string) => /^[a-z][a-z0-9-]*$/.test(place);

/**
 * A plugin host with the storage at that URL or with that id. `undefined`: the storage that the service uses
 * without DATABASE_URL.
 */
async function hostAt(place: string | undefined, where: string): Promise<PluginHost> {
  const id = place !== undefined && isId(place) ? place : undefined;
  const configuration = configurationAt(id === undefined ? place : undefined, where);
  const host = await hostOf(
    configuration,
    (manifest) =>
      manifest.kind === 'storage' && (id === undefined ? place === undefined : manifest.id === id),
  );
  if (id === undefined || (await addedStorageOf(host))?.id === id) return host;
  throw new CommandError(
    `${where} names the storage plugin "${id}", which is not installed. Add its package to PLUGINS or use a database URL.`,
  );
}

function configurationAt(url: string | undefined, where: string) {
  try {
    return readConfiguration({ ...process.env, DATABASE_URL: url });
  } catch (error) {
    if (!isKnown(error)) throw error;
    throw new CommandError((error as Error).message.replace(/^DATABASE_URL/, where));
  }
}

async function requireEmpty({ ports: { storage } }: PluginHost): Promise<void> {
  const { schema, findings } = (await storage.examine?.(schemaVersions)) ?? {};
  if (!schema || schema.stored === null || schema.stored === schema.newest) return;
  throw new CommandError(`${findings?.at(-1)?.text} Name an empty database as the target.`);
}

const withPassword = /^(\w+:\/\/[^/?#@:]*):[^/?#@]*@/;

/** All users of the machine can read command-line arguments. */
function warnOfPassword(url: string | undefined): void {
  if (url === process.env.DATABASE_URL || !withPassword.test(url ?? '')) return;
  console.error(
    'Other users on this server can see the password in the URL. Use DATABASE_URL and TARGET_DATABASE_URL ' +
      'instead.',
  );
}

function printProgress({ entity, phase, rows }: MoveProgress): void {
  if (rows === 0) return;
  console.log(`${phase === 'copied' ? 'Copied' : 'Verified'} ${rows} rows of ${entity}.`);
}

function report(
  moved: { entities: MovedEntity[]; already: boolean },
  targetName: string,
  json?: boolean,
): void {
  const plugin = isId(targetName) ? targetName : null;
  const url = plugin === null ? targetName.replace(withPassword, '$1:***@') : null;
  if (json) {
    console.log(JSON.stringify({ ...moved, database_url: url, plugin }));
    return;
  }
  const rows = moved.entities.reduce((sum, entity) => sum + entity.rows, 0);
  if (moved.already) console.log('An earlier run already moved everything. Nothing was changed.');
  else
    console.log(
      `Moved ${rows} rows. Counts and hashes of all ${moved.entities.length} tables match. The source was not changed.`,
    );
  console.log('Do not change the data folder or SECRET_KEY. Configure Holdfast with:');
  console.log(
    url === null
      ? `PLUGINS with "${plugin}" as its only storage, and no DATABASE_URL`
      : `DATABASE_URL=${url}`,
  );
}
