import { dirname } from 'node:path';
import { isRemoteLocation } from '../ssh/remote-location.rules.js';
import { type ReservedPlace, ReservedPlaces } from '../repositories/reserved-places.rules.js';
import { invalid } from '../kernel/errors.js';
import { identityOf, type RestoreTarget } from './stage/target.js';
import { canSetOwners, freeBytes, look } from './stage/target-files.js';
import { repositories } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { refuseReserved } from './refuse-reserved.js';

export type LocalNeeds = Pick<Dependencies, 'storage' | 'files' | 'settings'>;

/** This machine. */
export async function localTarget(needs: LocalNeeds): Promise<RestoreTarget> {
  const reserved = new ReservedPlaces(await reservedHere(needs));
  const target: RestoreTarget = {
    host: null,
    canSetOwners: canSetOwners(),
    reserved,
    look,
    freeBytes,
    async checkDestination(path) {
      const existing = await checkFolder(needs, path);
      await refuseReserved(target, path);
      if (path !== '/' && !(await needs.files.writable(existing))) {
        throw invalid(`destination: the service may not write to ${existing}: change its owner or mode.`);
      }
    },
    close: () => Promise.resolve(),
  };
  return target;
}

/** What the service lives by and the repositories on this machine, under the paths given and the real ones. */
export async function reservedHere({ storage, files, settings }: LocalNeeds): Promise<ReservedPlace[]> {
  const rows = await storage.find(repositories);
  const here = rows.filter((row) => row.connection_id === null && !isRemoteLocation(row.path));
  const stores = here.map(({ path, name }) => ({ path, what: `repository ${name}` }));
  const places: ReservedPlace[] = [];
  for (const { path, what } of [...settings.reservedPaths, ...stores]) {
    const real = await files.realPath(path);
    const stats = await look(real).catch(() => null);
    places.push({ path: real, what, identity: stats && identityOf(stats) });
    if (real !== path) places.push({ path, what, identity: null });
  }
  return places;
}

/** The folder itself or the next one above that is there. */
async function checkFolder({ files }: LocalNeeds, path: string): Promise<string> {
  let place = path;
  let kind = await files.kind(place);
  while (kind === 'missing' && place !== '/') {
    place = dirname(place);
    kind = await files.kind(place);
  }
  if (kind === 'denied') {
    throw invalid(`destination: the service may not look at ${place}: change its owner or mode.`);
  }
  if (kind !== 'directory') {
    throw invalid(`destination: ${place} is not a directory: name a folder, or one that is to be made.`);
  }
  const real = await files.realPath(path);
  if (real !== path) {
    throw invalid(`destination ${path} leads to ${real} by a symlink: give that path, if you mean it.`);
  }
  return place;
}
