import { chown, lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { recoveryFolder as marker } from '../../adapters/half-recovered.js';
import { writeWhole } from '../../adapters/own-files.js';
import { keyFiles } from '../../adapters/secret-key.js';
import type { Configuration } from '../../config.js';
import { CommandError } from '../exit.js';

const stateFile = 'state.json';

/** What the next run has to know of one that was interrupted. */
interface State {
  /** The database that is being filled, as text without secrets; null before that. */
  filling: string | null;
}

/** The data folder during a recovery. */
export interface RecoveryPlace {
  /** For everything that goes when the recovery ends. */
  work: string;
  /** The database that an interrupted run began to fill; null for none. */
  begun: string | null;
  /** True once something outside of the data folder may have been filled. */
  filled: boolean;
  /** Called before the database is filled, by its place. */
  fill(database: string): Promise<void>;
  /** Moves files of a copy into the data folder. */
  adopt(copy: string): Promise<void>;
  finish(): Promise<void>;
  /** Removes everything again. */
  abandon(): Promise<void>;
}

/** What a recovery puts into the data folder. */
const namesIn = ({ dataDirectory, databaseFile }: Configuration): string[] => {
  const { key, former } = keyFiles(dataDirectory);
  const database = ['', '-wal', '-shm', '-journal', '.draft'].map((end) => `${databaseFile}${end}`);
  const own = [key, former, join(dataDirectory, 'plugin-data'), join(dataDirectory, 'own-backup')];
  return [
    marker,
    ...[...own, ...database]
      .filter((path) => path.startsWith(`${dataDirectory}/`))
      .map((path) => basename(path)),
  ];
};

/**
 * CommandError for a data folder that holds anything but what an interrupted recovery left, which is removed. Creates the
 * folder.
 */
export async function openPlace(configuration: Configuration): Promise<RecoveryPlace> {
  const { dataDirectory } = configuration;
  const found = await readdir(dataDirectory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new CommandError(`${dataDirectory} can't be used as the data folder (${error.code}).`);
  });
  const ours = namesIn(configuration);
  const foreign = found?.includes(marker) ? found.filter((name) => !ours.includes(name)) : found;
  if (foreign && foreign.length > 0) {
    throw new CommandError(
      `The data folder ${dataDirectory} is not empty (${foreign.slice(0, 3).join(', ')}). Name an empty or a new ` +
        'folder with --data-dir or DATA_DIR.',
    );
  }
  const [folder, state] = [join(dataDirectory, marker), join(dataDirectory, marker, stateFile)];
  const begun = await readFile(state, 'utf8').then(
    (text) => (JSON.parse(text) as State).filling,
    () => null,
  );
  const clear = async () => {
    // The folder that marks the others as incomplete goes last.
    for (const name of [...ours.slice(1), marker])
      await rm(join(dataDirectory, name), { recursive: true, force: true });
  };
  const write = (filling: string | null) =>
    writeWhole({ path: state, content: JSON.stringify({ filling } satisfies State), mode: 0o600 });
  if (found !== null) await clearWork(dataDirectory, ours);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await write(begun);
  const work = join(folder, 'work');
  await mkdir(work, { mode: 0o700 });
  const place: RecoveryPlace = {
    ...{ work, begun, filled: false },
    async fill(database) {
      await write(database);
      place.filled = !database.startsWith(`${dataDirectory}/`);
    },
    async adopt(copy) {
      for (const name of ['secret_key', 'secret_key.former', 'plugin-data'])
        await rename(join(copy, name), join(dataDirectory, name)).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        });
    },
    async finish() {
      await rm(work, { recursive: true, force: true });
      await giveToOwner(dataDirectory);
      await rm(folder, { recursive: true });
    },
    async abandon() {
      await clear();
      if (found === null) await rm(dataDirectory, { recursive: true, force: true });
    },
  };
  return place;
}

/** All of an interrupted run but the note of what it had begun. */
async function clearWork(dataDirectory: string, ours: readonly string[]): Promise<void> {
  for (const name of ours.slice(1)) await rm(join(dataDirectory, name), { recursive: true, force: true });
  await rm(join(dataDirectory, marker, 'work'), { recursive: true, force: true });
}

/** Root recovers for the user of the service, whom the folder belongs to if it was there before. */
async function giveToOwner(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if ((await lstat(path)).isSymbolicLink()) continue;
    await chown(path, uid, gid);
  }
}
