import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const builds = (dataDirectory: string): string => join(dataDirectory, 'listing-builds');

/** Folders of this process: one of an earlier process may have had the same number. */
const ours = new Set<string>();

/** A folder for one build, named after this process so that a later one can tell whether it is left over. */
export async function makeBuildFolder(dataDirectory: string): Promise<string> {
  await mkdir(builds(dataDirectory), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(builds(dataDirectory), `${process.pid}-`));
  ours.add(folder);
  return folder;
}

export async function removeBuildFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  ours.delete(folder);
}

/** Removes what processes that are gone left behind; at any time. */
export async function sweepListingBuilds(dataDirectory: string): Promise<void> {
  const names = await readdir(builds(dataDirectory)).catch(() => []);
  const folders = names.map((name) => ({
    folder: join(builds(dataDirectory), name),
    pid: Number.parseInt(name, 10),
  }));
  const leftOver = folders.filter(({ folder, pid }) => !ours.has(folder) && !othersRun(pid));
  await Promise.all(leftOver.map(({ folder }) => removeBuildFolder(folder)));
}

/** True for another living process. */
function othersRun(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
