import { dirname } from 'node:path';
import { atMost, conflict, invalid, normalised, say } from '../../foundation/kernel/index.js';
import { toolFailure } from '../archives/index.js';
import { type ReservedPlace, ReservedPlaces } from '../repositories/index.js';
import { repositories } from '../repositories/tables.js';
import { findConnection, type HostNeeds, isRemoteLocation, pathOf, sourceHost } from '../ssh/index.js';
import { type SshConnectionRow, sshConnections } from '../ssh/tables.js';
import { assertNotReserved } from './assert-not-reserved.js';
import type { RestoreNeeds } from './needs.js';
import { type HostFacts, HostFiles } from './remote/host-files.js';
import {
  bootId,
  canSetOwners,
  freeBytes,
  identityOf,
  look,
  look as lookHere,
  type RestoreTarget,
} from './stage/target-files.fs.js';

type LocalNeeds = Pick<RestoreNeeds, 'storage' | 'everything' | 'files' | 'settings' | 'here'>;

/** This machine. */
async function localTarget(needs: LocalNeeds): Promise<RestoreTarget> {
  const reserved = new ReservedPlaces(await reservedHere(needs));
  const there = new HostFiles(needs.here);
  const target: RestoreTarget = {
    host: null,
    canSetOwners: canSetOwners(),
    reserved,
    look,
    freeBytes,
    lacks: (directory) => within(there.lacks(directory), []),
    whoIs: (owner) => within(there.whoIs(owner), { ids: null, names: null }),
    async checkDestination(path) {
      const existing = await checkFolder(needs, path);
      await assertNotReserved(target, path);
      if (path !== '/' && !(await needs.files.writable(existing))) {
        throw invalid(
          say`destination_not_writable: destination: Holdfast cannot write to ${{ path: existing }}. Change its owner or mode.`,
        );
      }
    },
    close: () => within(there.close(), undefined),
  };
  return target;
}

const longestMs = 20_000;

/** A file system that does not answer must not hold up a plan. */
const within = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
  atMost(
    longestMs,
    work.catch(() => otherwise),
    otherwise,
  );

/** Reserved paths and the repositories on this machine, both as configured and as real paths. */
async function reservedHere(needs: LocalNeeds): Promise<ReservedPlace[]> {
  const { storage, everything = storage, files, settings } = needs;
  const rows = await everything.find(repositories);
  const visible = new Set((await storage.find(repositories)).map(({ id }) => id));
  const here = rows.filter((row) => row.connection_id === null && !isRemoteLocation(row.path));
  const stores = here.map(({ id, path, name }) => ({
    path,
    what: visible.has(id) ? `repository ${name}` : 'a repository',
  }));
  const places: ReservedPlace[] = [];
  for (const { path, what } of [...settings.reservedPaths, ...stores]) {
    const real = await files.realPath(path);
    const stats = await look(real).catch(() => null);
    places.push({ path: real, what, identity: stats && identityOf(stats) });
    if (real !== path) places.push({ path, what, identity: null });
  }
  return places;
}

/** For a file of this machine that a plugin writes. Throws AppError `invalid`. */
export async function assertFileNotReserved(needs: LocalNeeds, path: string): Promise<void> {
  const reserved = new ReservedPlaces(await reservedHere(needs));
  await assertNotReserved({ reserved, look }, await needs.files.realPath(path));
}

/**
 * Returns the nearest existing folder: itself or one above it. Throws AppError `invalid` when the path is
 * unusable.
 */
async function checkFolder({ files }: LocalNeeds, path: string): Promise<string> {
  let place = path;
  let kind = await files.kind(place);
  while (kind === 'missing' && place !== '/') {
    place = dirname(place);
    kind = await files.kind(place);
  }
  if (kind === 'denied') {
    throw invalid(
      say`destination_denied: destination: Holdfast cannot access ${{ path: place }}. Change its owner or mode.`,
    );
  }
  if (kind !== 'directory') {
    throw notDirectory(place);
  }
  const real = await files.realPath(path);
  if (real !== path) {
    throw invalid(
      say`destination_through_symlink: destination ${{ destination: path }} leads to ${{ path: real }} through a symlink: use that path if that is what you want.`,
    );
  }
  return place;
}

const notDirectory = (path: string) =>
  invalid(
    say`destination_not_directory: destination: ${{ path }} is not a directory. Choose an existing or a new folder.`,
  );

type RemoteNeeds = LocalNeeds & HostNeeds;

/**
 * The host of a connection. Throws DriverError when it can't be reached; AppError `conflict` when it lacks
 * required tools.
 */
async function remoteTarget(needs: RemoteNeeds, connection: SshConnectionRow): Promise<RestoreTarget> {
  const host = await sourceHost(needs, connection, { remote_path: null });
  const there = new HostFiles(host);
  try {
    const facts = await there.facts();
    const lacking = ['tar', 'findutils', 'coreutils'].filter(
      (_, index) => !facts.tools[index]?.includes('GNU'),
    );
    if (lacking.length > 0) {
      throw conflict(
        say`restore_tools_missing: A restore to ${{ host: host.name }} needs GNU ${{ tools: lacking }} on the host: install it.`,
      );
    }
    const reserved = new ReservedPlaces(await reservedThere(needs, { connection, there, facts }));
    const target: RestoreTarget = {
      host: host.name,
      canSetOwners: canSetOwners() && facts.uid === 0,
      reserved,
      look: (path) => there.look(path),
      freeBytes: (directory) => there.freeBytes(directory),
      lacks: (directory) => there.lacks(directory),
      whoIs: there.whoIs,
      async checkDestination(path) {
        const existing = await checkRemoteFolder(there, path);
        await assertNotReserved(target, path);
        if (path !== '/' && !(await there.writable(existing))) {
          throw invalid(
            say`destination_on_host_not_writable: destination: ${{ host: host.name }} cannot write to ${{ path: existing }}. Change its owner or mode.`,
          );
        }
      },
      close: () => there.close(),
    };
    return target;
  } catch (error) {
    await there.close();
    throw error;
  }
}

/**
 * Returns the nearest existing folder: the path or one of its parents. Throws AppError `invalid` if that is
 * not a folder.
 */
async function checkRemoteFolder(there: HostFiles, path: string): Promise<string> {
  let existing = '/';
  for (const part of path.split('/').filter((each) => each !== '')) {
    const next = existing === '/' ? `/${part}` : `${existing}/${part}`;
    const found = await there.look(next);
    if (!found) break;
    if (found.isSymbolicLink()) {
      throw invalid(
        say`destination_on_host_is_symlink: destination: ${{ path: next }} is a symlink: use the path that it points to if that is what you want.`,
      );
    }
    if (!found.isDirectory()) {
      throw notDirectory(next);
    }
    existing = next;
  }
  return existing;
}

interface Host {
  connection: SshConnectionRow;
  there: HostFiles;
  facts: HostFacts;
}

/** The repositories on that host, plus the reserved paths of this machine if it is the same one. */
async function reservedThere(needs: RemoteNeeds, host: Host): Promise<ReservedPlace[]> {
  const { storage } = needs;
  const { connection, facts } = host;
  const known = await storage.find(sshConnections, { where: { host: connection.host } });
  const ids = new Set(known.map(({ id }) => id));
  const rows = await storage.find(repositories);
  const stores = rows
    .filter(({ path, connection_id }) => isRemoteLocation(path) && ids.has(connection_id ?? 0))
    .map(({ path, name }) => ({
      path: placeOf(pathOf(path), facts.home),
      what: `repository ${name}`,
      identity: null,
    }));
  return [...stores, ...((await isThisMachine(host)) ? await reservedHere(needs) : [])];
}

/** The absolute path of a repository whose location may be relative to the home folder. */
const placeOf = (path: string, home: string): string =>
  normalised(path.startsWith('/./') ? `${home}/${path.slice(3)}` : path);

/** The same kernel, with the same root folder. */
async function isThisMachine({ there, facts }: Host): Promise<boolean> {
  if (facts.bootId === '' || facts.bootId !== (await bootId())) return false;
  const [here, found] = await Promise.all([lookHere('/'), there.look('/')]);
  return here !== null && found !== null && identityOf(here) === identityOf(found);
}

export type TargetNeeds = LocalNeeds & RemoteNeeds;

/**
 * The machine of a destination; the caller closes it. Throws AppError `not_found` for an unknown connection.
 */
export const openRestoreTarget = async (
  needs: TargetNeeds,
  connectionId: number | null | undefined,
): Promise<RestoreTarget> =>
  typeof connectionId === 'number'
    ? remoteTarget(needs, await findConnection(needs.storage, connectionId))
    : localTarget(needs);

/**
 * Opens the target for work within a request. Throws AppError `unavailable` when its host can't be reached.
 */
export async function atTarget<T>(
  needs: TargetNeeds,
  connectionId: number | null | undefined,
  work: (target: RestoreTarget) => Promise<T>,
): Promise<T> {
  try {
    const target = await openRestoreTarget(needs, connectionId);
    return await work(target).finally(() => target.close());
  } catch (error) {
    throw toolFailure(error);
  }
}
