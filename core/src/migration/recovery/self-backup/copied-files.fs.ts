import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, cp, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Caches of the built-in driver inside `plugin-data`: large, without secrets, and recreated when missing. */
const madeAnew = 'driver-borg';

/** Plugins may write during the copy: files that vanish are skipped. */
export async function copyPluginData(dataDirectory: string, folder: string): Promise<void> {
  const [from, to] = [join(dataDirectory, 'plugin-data'), join(folder, 'plugin-data')];
  for (const path of await filesBelow(from, isOwnData)) {
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    await cp(join(from, path), join(to, path), { preserveTimestamps: true }).catch(ignoreMissing);
    await chmod(join(to, path), 0o600).catch(ignoreMissing);
  }
}

/** For `filesBelow`, in `plugin-data`. */
export const isOwnData = (path: string) => path.split('/')[0] !== madeAnew;

/** Regular files, as paths relative to the folder, in order. */
export async function filesBelow(
  folder: string,
  wanted: (path: string) => boolean = () => true,
): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    ignoreMissing(error);
    return [];
  });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return paths.filter(wanted).sort();
}

/** Of the time that a hash takes, when others wait for this thread. */
const idlePerBusy = 4;

/** `gently`: leaves this thread to others for most of the time. */
export async function describe(folder: string, path: string, { gently = false } = {}) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(folder, path), { highWaterMark: 1 << 16 })) {
    const began = performance.now();
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (gently) await pause((performance.now() - began) * idlePerBusy);
  }
  return { path, bytes, sha256: hash.digest('hex') };
}

export async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

export function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
