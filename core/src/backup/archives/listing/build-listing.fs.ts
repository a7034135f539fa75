import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { bucketCount, type CollectedEntries, collectEntries } from './entry-collector.js';
import type { Listing } from './listing.js';
import { type ListingHeader, listingFormat } from './listing-format.js';
import { packPage, unpackPage } from './listing-page.js';
import { PageFile } from './page-file.fs.js';
import { planPages } from './page-plan.js';
import { groupsOf, sortIntoPages } from './page-sorter.js';

/** A listing whose pages are in files of this process until `dispose`. */
export interface BuiltListing extends Listing {
  /** A page as it is stored. */
  packed(number: number): Promise<Buffer>;
  dispose(): Promise<void>;
}

export interface BuildInput {
  archiveId: string;
  epoch: number;
  dataDirectory: string;
  signal: AbortSignal;
  /** Receives the number of entries read so far. */
  onProgress?(entries: number): void;
  /** Runs `use` with the tool's stream of entries, and keeps everything the tool needs until it settles. */
  readEntries<T>(use: (entries: AsyncIterable<ArchiveEntry[]>) => Promise<T>): Promise<T>;
}

/**
 * Builds the listing of one archive. Memory holds only the directories and a few blocks of lines for any
 * number of entries; the rest uses two files in the data folder, which are removed if it rejects.
 */
export async function buildListing(input: BuildInput): Promise<BuiltListing> {
  const folder = await makeBuildFolder(input.dataDirectory);
  const files: { close(): Promise<void> }[] = [];
  const dispose = async () => {
    await Promise.allSettled(files.splice(0).map((file) => file.close()));
    await removeBuildFolder(folder);
  };
  try {
    const collected = await input.readEntries(async (entries) => {
      const buckets = await PageFile.create(join(folder, `entries-${files.length}`), bucketCount);
      files.push(buckets);
      return collectEntries(entries, buckets, input.onProgress);
    });
    return await sorted(collected, { ...input, dispose });
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function sorted(
  collected: CollectedEntries,
  { archiveId, epoch, signal, dispose }: BuildInput & Pick<BuiltListing, 'dispose'>,
): Promise<BuiltListing> {
  const { tree } = collected;
  const plan = planPages(tree.directories());
  const pages = await sortIntoPages({ collected, plan, signal });
  const header: ListingHeader = {
    format: listingFormat,
    build: randomBytes(8).toString('hex'),
    archiveId,
    epoch,
    entries: collected.recordCount + tree.count - 1,
    directories: tree.count - 1,
    ...plan,
  };
  const packed = async (number: number) => packPage(header.build, groupsOf(await pages.lines(number), tree));
  return { header, packed, page: async (number) => unpackPage(await packed(number)), dispose };
}

const builds = (dataDirectory: string): string => join(dataDirectory, 'listing-builds');

/** Folders of this process: one of an earlier process may have had the same number. */
const ours = new Set<string>();

/** Creates a folder for one build, named after this process so that leftovers can be detected. */
async function makeBuildFolder(dataDirectory: string): Promise<string> {
  await mkdir(builds(dataDirectory), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(builds(dataDirectory), `${process.pid}-`));
  ours.add(folder);
  return folder;
}

async function removeBuildFolder(folder: string): Promise<void> {
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
