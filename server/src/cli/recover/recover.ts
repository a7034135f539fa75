import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { askSecret } from '@holdfast/cli/service';
import type { PluginHost } from '@holdfast/core/server';
import type { Configuration } from '../../config.js';
import { configurationOfProcess } from '../environment.js';
import { CommandError } from '../exit.js';
import { hostOf } from '../with-storage.js';
import { checkedCopy, requireEmpty, takeUp } from './database.js';
import { type FoundCopy, findCopy } from './find-copy.js';
import { giveTo, openPlace, type RecoveryPlace } from './place.js';
import { report } from './report.js';
import { locationOf, targetOf, type Wanted } from './repository.js';

interface Options extends Wanted {
  dataDir?: string;
  archive?: string;
  json?: boolean;
}

/**
 * Restores an installation from its self-backup into an empty data folder and an empty database. All or
 * nothing: the service refuses leftovers of a killed run, and the next run replaces them.
 */
export async function recover({ dataDir, json, ...wanted }: Options): Promise<number> {
  if (dataDir !== undefined) process.env.DATA_DIR = dataDir;
  const configuration = configurationOfProcess();
  const { location } = locationOf(wanted.repository);
  const place = await openPlace(configuration);
  try {
    const host = await hostFor(configuration, place);
    await requireEmpty(host.ports.storage, place, configuration);
    const passphrase = await askSecret(`Passphrase of ${location}`, { twice: false, whole: true });
    const target = await targetOf(wanted, { passphrase, folder: place.work });
    const found = await findCopy(host.ports.driver, target, wanted.archive);
    const copy = await extract(host, { target, found, place });
    const manifest = await checkedCopy(copy, host.ports.storage);
    const counts = await takeUp(configuration, { host, place, copy, manifest, archive: found.archive.name });
    await place.finish();
    const about = { manifest, archive: found.archive.name, repository: location };
    report({ ...counts, ...about, dataDirectory: configuration.dataDirectory }, json);
    return 0;
  } catch (error) {
    await place.abandon();
    throw asCommandError(error);
  }
}

/** The plugins keep their own data in the folder that goes when the recovery ends. */
const hostFor = (configuration: Configuration, { work }: RecoveryPlace): Promise<PluginHost> =>
  hostOf({ ...configuration, dataDirectory: work }, ({ kind }) => kind === 'storage');

async function extract(
  { ports: { driver } }: PluginHost,
  work: { target: Parameters<typeof findCopy>[1]; found: FoundCopy; place: RecoveryPlace },
): Promise<string> {
  const { target, found, place } = work;
  if (!driver.extract) throw new CommandError("The backup driver can't extract archives.");
  const { bavail, bsize } = await statfs(place.work);
  // Once as extracted, and once as the database of the service.
  const needed = found.bytes * 2;
  if (bavail * bsize < needed) {
    const mebibytes = (bytes: number) => Math.ceil(bytes / (1 << 20));
    throw new CommandError(
      `The recovery needs ${mebibytes(needed)} MiB, but only ${mebibytes(bavail * bsize)} MiB are free in ${place.work}.`,
    );
  }
  const folder = join(place.work, 'extracted');
  await mkdir(folder, { mode: 0o700 });
  await driver.extract(target, { archive: found.archive.name, paths: [found.path], folder });
  const copy = join(folder, found.path);
  // Root extracts files for the user that they belonged to on the old machine.
  if (process.getuid?.() === 0) await giveTo({ uid: 0, gid: process.getgid?.() ?? 0 }, folder);
  return copy;
}

/** Failures of the backup tool and of SSH are for the user to fix as well. */
function asCommandError(error: unknown): unknown {
  const { name, message } = error as Error;
  return ['DriverError', 'RemoteHostError'].includes(name) ? new CommandError(message) : error;
}
