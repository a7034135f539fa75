import { lchown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { recoveryNames } from '../../adapters/half-recovered.js';
import { keyFiles } from '../../adapters/secret-key.js';
import type { Configuration } from '../../config.js';
import { CommandError } from '../exit.js';

/** State of an interrupted run for the next one. */
interface State {
  /** The database outside of the data folder that is being filled. */
  filling: string | null;
}

/** The data folder during a recovery. */
export interface RecoveryPlace {
  /** For everything that goes when the recovery ends. */
  work: string;
  /** The database outside of the data folder that an interrupted run began to fill; null for none. */
  begun: string | null;
  /** Called before a database outside of the data folder is filled; with null when it is empty again. */
  fill(database: string | null): Promise<void>;
  /** Moves files of a copy into the data folder. */
  adopt(copy: string): Promise<void>;
  finish(): Promise<void>;
  /** Removes everything again, unless the next run must know that this one began. */
  abandon(): Promise<void>;
}

/**
 * CommandError for a data folder that holds anything but what an interrupted recovery left, which is removed. Creates the
 * folder.
 */
export async function openPlace(configuration: Configuration): Promise<RecoveryPlace> {
  const { dataDirectory } = configuration;
  const within = (name: string) => join(dataDirectory, name);
  const [folder, state] = [within(recoveryNames.folder), within(recoveryNames.state)];
  const work = join(folder, 'work');
  const found = await namesIn(dataDirectory);
  const ours = namesOfRecovery(configuration);
  refuseForeign(found ?? [], ours, dataDirectory);
  let filling = await readState(state);
  const begun = filling;
  const clear = async () => {
    for (const name of [...ours, recoveryNames.folder])
      await rm(within(name), { recursive: true, force: true });
  };
  const write = async () => {
    const draft = join(folder, 'state');
    const handle = await open(draft, 'w', 0o600);
    await handle.writeFile(JSON.stringify({ filling } satisfies State));
    await handle.sync().finally(() => handle.close());
    await rename(draft, state);
  };
  await clear();
  await mkdir(work, { recursive: true, mode: 0o700 }).catch(refused(dataDirectory));
  await write();
  return {
    work,
    begun,
    async fill(database) {
      filling = database;
      await write();
    },
    async adopt(copy) {
      for (const name of ['secret_key', 'secret_key.former', 'plugin-data'])
        await rename(join(copy, name), within(name)).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        });
    },
    async finish() {
      await giveToOwner(dataDirectory);
      await rm(folder, { recursive: true });
      await rm(state);
    },
    async abandon() {
      await clear();
      if (filling !== null) return;
      await rm(state, { force: true });
      if (found === null) await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

const namesIn = (folder: string): Promise<string[] | null> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? null : refused(folder)(error),
  );

const refused = (folder: string) => (error: NodeJS.ErrnoException) => {
  throw new CommandError(`${folder} can't be used as the data folder (${error.code}).`);
};

/** Names that a recovery creates in the data folder, in addition to its working folder. */
const namesOfRecovery = ({ dataDirectory, databaseFile }: Configuration): string[] => {
  const { key, former } = keyFiles(dataDirectory);
  const database = ['', '-wal', '-shm', '-journal', '.draft'].map((end) => `${databaseFile}${end}`);
  const inside = database.filter((path) => path.startsWith(`${dataDirectory}/`));
  return [...[key, former, ...inside].map((path) => basename(path)), 'plugin-data'];
};

function refuseForeign(found: readonly string[], ours: readonly string[], dataDirectory: string): void {
  const { folder, state } = recoveryNames;
  const known = found.includes(state) ? [folder, state, ...ours] : [folder];
  const foreign = found.filter((name) => !known.includes(name));
  if (foreign.length === 0) return;
  throw new CommandError(
    `The data folder ${dataDirectory} is not empty (${foreign.slice(0, 3).join(', ')}). Name an empty or a new ` +
      'folder with --data-dir or DATA_DIR.',
  );
}

const readState = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => (JSON.parse(text) as State).filling,
    () => null,
  );

/** Root recovers for the service user, who is the owner of an existing data folder. */
async function giveToOwner(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  await giveTo({ uid, gid }, folder);
}

/** Changes the owner of a folder and its contents without following symlinks. */
export async function giveTo({ uid, gid }: { uid: number; gid: number }, folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), uid, gid);
}
