import { dirname, join } from 'node:path';
import { repositories } from '../../../backup/repositories/index.js';
import { isRemoteLocation } from '../../../backup/ssh/index.js';
import { contains } from '../../../foundation/kernel/index.js';
import type { RecoveryNeeds } from '../needs.js';

const name = 'holdfast-self-backup';

/**
 * Suggests a local path for the self-backup: next to a repository on another disk, otherwise next to the data
 * folder, and inside it only if nothing else is writable.
 */
export async function suggestPlace({
  storage,
  files,
  settings: { dataDirectory },
}: RecoveryNeeds): Promise<string> {
  const rows = await storage.find(repositories);
  const local = rows.filter(({ path, self_backup }) => !self_backup && !isRemoteLocation(path));
  const beside = [...new Set(local.map(({ path }) => dirname(path)))];
  const device = (await files.space(dataDirectory))?.device;
  const isElsewhere = async (folder: string) => {
    const space = await files.space(folder);
    return space !== null && space.device !== device && !contains(dataDirectory, folder);
  };
  const others = await Promise.all(
    beside.map(async (folder) => ((await isElsewhere(folder)) ? folder : null)),
  );
  const folders = [...others.filter((folder) => folder !== null), dirname(dataDirectory)];
  for (const folder of folders) {
    const isInside = local.some(({ path }) => contains(path, folder));
    if (!isInside && (await files.writable(folder))) return freeName(files, folder);
  }
  return freeName(files, dataDirectory);
}

async function freeName(files: RecoveryNeeds['files'], folder: string): Promise<string> {
  for (let n = 1; ; n++) {
    const path = join(folder, n === 1 ? name : `${name}-${n}`);
    if ((await files.kind(path)) === 'missing' || (await files.isEmptyDirectory(path))) return path;
  }
}

/** Whether a local path is on the disk of the data folder and would be lost with it. */
export async function isOnDataDisk(
  { files, settings }: Pick<RecoveryNeeds, 'files' | 'settings'>,
  path: string,
) {
  let there = path;
  while ((await files.kind(there)) === 'missing' && there !== '/') there = dirname(there);
  const [own, data] = await Promise.all([files.space(there), files.space(settings.dataDirectory)]);
  return own !== null && own.device === data?.device;
}
