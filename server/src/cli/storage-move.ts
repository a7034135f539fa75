import {
  type MovedEntity,
  type MoveProgress,
  moveStorage,
  type PluginInstance,
  type StorageBackend,
} from '@holdfast/core/server';
import { systemClock } from '../adapters/system-clock.js';
import { readConfiguration } from '../config.js';
import { CommandError, isKnown } from './exit.js';
import { refuseUsers } from './refuse-users.js';
import { refuseOther, storageOf, whileStarted } from './with-storage.js';

interface Options {
  from?: string;
  to?: string;
  json?: boolean;
}

type Storage = PluginInstance<StorageBackend>;

export async function storageMove({ from = process.env.DATABASE_URL, to, json }: Options): Promise<number> {
  const goal = to ?? process.env.TARGET_DATABASE_URL;
  if (!goal) throw new CommandError('Name the empty database: --to, or the variable TARGET_DATABASE_URL.');
  for (const url of [from, to]) warnOfPassword(url);
  const source = await storageAt(from, '--from');
  const target = await storageAt(goal, to === undefined ? 'TARGET_DATABASE_URL' : '--to');
  await refuseOther(source);
  await refuseNewer(target);
  const moved = await whileStarted(source, () =>
    whileStarted(target, () =>
      moveStorage({
        ...{ source, target, clock: systemClock },
        onProgress: json ? () => undefined : sayProgress,
        refuseUsers: async () => {
          await refuseUsers(source, 'the source');
          await refuseUsers(target, 'the target');
        },
      }),
    ),
  );
  tell(moved, goal, json);
  return 0;
}

/** `undefined`: the one that the service uses without DATABASE_URL. */
async function storageAt(url: string | undefined, where: string): Promise<Storage> {
  try {
    return await storageOf(readConfiguration({ ...process.env, DATABASE_URL: url }));
  } catch (error) {
    if (!isKnown(error)) throw error;
    throw new CommandError((error as Error).message.replace(/^DATABASE_URL/, where));
  }
}

async function refuseNewer(target: Storage): Promise<void> {
  const { schema, findings } = (await target.examine?.()) ?? {};
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
  const shown = goal.replace(withPassword, '$1:***@');
  if (json) {
    console.log(JSON.stringify({ ...moved, database_url: shown }));
    return;
  }
  const rows = moved.entities.reduce((sum, entity) => sum + entity.rows, 0);
  if (moved.already) console.log('An earlier run has moved everything already; nothing was changed.');
  else
    console.log(
      `Moved ${rows} rows; counts and hashes of all ${moved.entities.length} kinds agree. The source was left as it is.`,
    );
  console.log('Keep the data folder and SECRET_KEY as they are, and set for the service:');
  console.log(`DATABASE_URL=${shown}`);
}
