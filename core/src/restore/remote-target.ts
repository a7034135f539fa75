import { isRemoteLocation, pathOf } from '../ssh/remote-location.rules.js';
import { normalised } from '../repositories/repository-path.rules.js';
import { type ReservedPlace, ReservedPlaces } from '../repositories/reserved-places.rules.js';
import { conflict, invalid } from '../kernel/errors.js';
import { type HostFacts, HostFiles } from './remote/host-files.js';
import { identityOf, type RestoreTarget } from './stage/target.js';
import { bootId, canSetOwners, look as lookHere } from './stage/target-files.js';
import { repositories, type SshConnectionRow, sshConnections } from '../schema/tables.js';
import { type SourceNeeds, sourceHost } from '../backups/pull/source-host.js';
import { type LocalNeeds, reservedHere } from './local-target.js';
import { refuseReserved } from './refuse-reserved.js';

export type RemoteNeeds = LocalNeeds & SourceNeeds;

/** The host of a connection. DriverError when it can't be reached; AppError `conflict` when it lacks what is needed. */
export async function remoteTarget(needs: RemoteNeeds, connection: SshConnectionRow): Promise<RestoreTarget> {
  const host = await sourceHost(needs, connection, { remote_path: null });
  const there = new HostFiles(host);
  try {
    const facts = await there.facts();
    const lacking = ['tar', 'findutils', 'coreutils'].filter(
      (_, index) => !facts.tools[index]?.includes('GNU'),
    );
    if (lacking.length > 0) {
      throw conflict(`A restore to ${host.name} needs GNU ${lacking.join(', ')} there: install it.`);
    }
    const reserved = new ReservedPlaces(await reservedThere(needs, { connection, there, facts }));
    const target: RestoreTarget = {
      host: host.name,
      canSetOwners: canSetOwners() && facts.uid === 0,
      reserved,
      look: (path) => there.look(path),
      freeBytes: (directory) => there.freeBytes(directory),
      async checkDestination(path) {
        const existing = await checkFolder(there, path);
        await refuseReserved(target, path);
        if (path !== '/' && !(await there.writable(existing))) {
          throw invalid(`destination: ${host.name} may not write to ${existing}: change its owner or mode.`);
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

/** The folder itself or the next one above that is there. AppError `invalid` when something else is in its place. */
async function checkFolder(there: HostFiles, path: string): Promise<string> {
  let existing = '/';
  for (const part of path.split('/').filter((each) => each !== '')) {
    const next = existing === '/' ? `/${part}` : `${existing}/${part}`;
    const found = await there.look(next);
    if (!found) break;
    if (found.isSymbolicLink()) {
      throw invalid(`destination: ${next} is a symlink: give the path that it leads to, if you mean that.`);
    }
    if (!found.isDirectory()) {
      throw invalid(`destination: ${next} is not a directory: name a folder, or one that is to be made.`);
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

/** The repositories on that host; when it is this very machine, what the service lives by as well. */
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

/** Where a repository is whose location may begin at the home folder. */
const placeOf = (path: string, home: string): string =>
  normalised(path.startsWith('/./') ? `${home}/${path.slice(3)}` : path);

/** The same kernel, with the same root folder. */
async function isThisMachine({ there, facts }: Host): Promise<boolean> {
  if (facts.bootId === '' || facts.bootId !== (await bootId())) return false;
  const [here, found] = await Promise.all([lookHere('/'), there.look('/')]);
  return here !== null && found !== null && identityOf(here) === identityOf(found);
}
