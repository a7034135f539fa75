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
import { addedStorageOf, hostOf, refuseOther, whileStarted } from './with-storage.js';

interface Options {
  from?: string;
  to?: string;
  json?: boolean;
}

export async function storageMove({ from = process.env.DATABASE_URL, to, json }: Options): Promise<number> {
  const goal = to ?? process.env.TARGET_DATABASE_URL;
  if (!goal) throw new CommandError('Name the empty database: --to, or the variable TARGET_DATABASE_URL.');
  for (const url of [from, to]) warnOfPassword(url);
  const source = await hostAt(from, '--from');
  const target = await hostAt(goal, to === undefined ? 'TARGET_DATABASE_URL' : '--to');
  await refuseOther(source);
  await refuseFilled(target);
  const storages = { source: source.ports.storage, target: target.ports.storage };
  const moved = await whileStarted(source, () =>
    whileStarted(target, () =>
      moveStorage({
        ...{ ...storages, clock: systemClock },
        onProgress: json ? () => undefined : sayProgress,
        refuseUsers: async () => {
          await refuseUsers(storages.source, 'the source');
          await refuseUsers(storages.target, 'the target');
        },
      }),
    ),
  );
  tell(moved, goal, json);
  return 0;
}

/** An added storage goes by its id, which no address can be. */
const isId = (place: string) => /^[a-z][a-z0-9-]*$/.test(place);

/** Plugins with the storage at that address or of that id. `undefined`: the one of the service without DATABASE_URL. */
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
    `${where} names the storage plugin "${id}", and no added plugin is that: name its package in PLUGINS, or give an address.`,
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

async function refuseFilled({ ports: { storage } }: PluginHost): Promise<void> {
  const { schema, findings } = (await storage.examine?.(schemaVersions)) ?? {};
  if (!schema || schema.stored === null || schema.stored === schema.newest) return;
  throw new CommandError(`${findings?.at(-1)?.text} Name an empty database as the target.`);
}

const withPassword = /^(\w+:\/\/[^/?#@:]*):[^/?#@]*@/;

/** An argument can be read by every user of the machine. */
function warnOfPassword(url: string | undefined): void {
  if (url === process.env.DATABASE_URL || !withPassword.test(url ?? '')) return;
  console.error(
    'Other users of this machine can see the password in the address: ' +
      'rather give addresses as DATABASE_URL and TARGET_DATABASE_URL.',
  );
}

function sayProgress({ entity, phase, rows }: MoveProgress): void {
  if (rows === 0) return;
  console.log(`${phase === 'copied' ? 'Copied' : 'Verified'} ${rows} rows of ${entity}.`);
}

function tell(moved: { entities: MovedEntity[]; already: boolean }, goal: string, json?: boolean): void {
  const plugin = isId(goal) ? goal : null;
  const url = plugin === null ? goal.replace(withPassword, '$1:***@') : null;
  if (json) {
    console.log(JSON.stringify({ ...moved, database_url: url, plugin }));
    return;
  }
  const rows = moved.entities.reduce((sum, entity) => sum + entity.rows, 0);
  if (moved.already) console.log('An earlier run has moved everything already; nothing was changed.');
  else
    console.log(
      `Moved ${rows} rows; counts and hashes of all ${moved.entities.length} kinds agree. The source was left as it is.`,
    );
  console.log('Keep the data folder and SECRET_KEY as they are, and set for the service:');
  console.log(
    url === null
      ? `PLUGINS with "${plugin}" as its only storage, and no DATABASE_URL`
      : `DATABASE_URL=${url}`,
  );
}
