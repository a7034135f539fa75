import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ArchiveStream, DriverError } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';

const lookEvery = 16 * 1024 * 1024;
const reserve = 512 * 1024 * 1024;
const endOfTar = 1024;

export interface Spooled {
  /** The members of a tar stream, without its end. */
  members(): AsyncGenerator<Buffer>;
  remove(): Promise<void>;
}

/**
 * A member of a tar stream begins with its size, so streams that go into one are written to disk first. Rejects with
 * DriverError `no_space` while there is still some room left.
 */
export async function spool(
  { dataFolder }: Pick<BorgContext, 'dataFolder'>,
  streams: readonly ArchiveStream[],
  signal: AbortSignal,
): Promise<Spooled> {
  const folder = join(dataFolder, '.streams', randomUUID());
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    for (const stream of streams) await write(join(folder, stream.path), stream, signal);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    members: () =>
      tarMembers(
        folder,
        streams.map(({ path }) => path),
      ),
    remove,
  };
}

async function write(path: string, { path: name, open: start }: ArchiveStream, signal: AbortSignal) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o600);
  try {
    let unseen = lookEvery;
    for await (const piece of await start(signal)) {
      signal.throwIfAborted();
      unseen += piece.length;
      if (unseen >= lookEvery) {
        await assertRoom(path, name);
        unseen = 0;
      }
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
}

async function assertRoom(path: string, name: string): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize >= reserve) return;
  throw new DriverError(
    'no_space',
    `There is no room for ${name}: data of another host is stored in the data folder first. Free some space there.`,
  );
}

async function* tarMembers(folder: string, paths: readonly string[]): AsyncGenerator<Buffer> {
  if (paths.length === 0) return;
  const words = ['-c', '--format=pax', '--blocking-factor=1', '--owner=0', '--group=0', '-C', folder];
  const tar = spawn('tar', [...words, '--', ...paths], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(tar, 'close');
  closed.catch(() => {});
  let held = Buffer.alloc(0);
  for await (const piece of tar.stdout as AsyncIterable<Buffer>) {
    const all = Buffer.concat([held, piece]);
    held = all.subarray(Math.max(0, all.length - endOfTar));
    yield all.subarray(0, all.length - held.length);
  }
  const [code] = await closed;
  if (code !== 0) throw new DriverError('failed', `tar could not read the data folder (code ${code}).`);
}
