import { isDriverError } from '@holdfast/plugin-api/driver';
import { notFound, say } from '../../../foundation/kernel/index.js';
import { refuseChangedHostKey } from '../../ssh/index.js';
import { refuseOtherRepository } from '../identity.js';
import type { RepositoriesNeeds } from '../needs.js';
import { openTarget } from '../open-target.js';
import { type ArchiveRow, archives, type RepositoryRow, repositories } from '../tables.js';
import { rewriteInventory } from './rewrite-inventory.js';

export interface Inventory {
  repository: RepositoryRow;
  /** Oldest first. */
  archives: ArchiveRow[];
  /** When the tool last listed the archives, in milliseconds; null when it never did. */
  asOf: number | null;
}

type Needs = Pick<
  RepositoriesNeeds,
  'storage' | 'events' | 'clock' | 'driver' | 'secrets' | 'redactor' | 'lanes' | 'log'
>;

const freshForMs = 60_000;

export interface InventoryOptions {
  /** Takes a list of any age: the tool is asked only if there never was one. */
  knownOnly?: boolean;
}

/**
 * The archives of a repository for a read request. Uses the rows while they are less than a minute old or the lane is
 * busy; otherwise the tool lists them again. A failure to list is not an error: `asOf` shows the age of the rows.
 * Readers in one process share a listing, and after a failure the tool is not asked for a minute. `repository` is the
 * current row.
 */
export async function currentInventory(
  needs: Needs,
  repository: RepositoryRow,
  options?: InventoryOptions,
): Promise<Inventory> {
  const row = await currentRepository(needs, repository, options);
  const rows = await needs.storage.find(archives, {
    where: { repository_id: repository.id },
    order: [
      ['start', 'asc'],
      ['id', 'asc'],
    ],
  });
  return { repository: row, archives: rows, asOf: row.inventory_at };
}

/** Finds one archive by name or by the tool's id without reading all the others. */
export async function currentArchive(needs: Needs, repository: RepositoryRow, archive: string) {
  const row = await currentRepository(needs, repository);
  const found = await readArchive(needs, repository.id, archive);
  return { repository: row, archive: found, asOf: row.inventory_at };
}

/** The current row, once the archives are up to date: `currentInventory` without reading them. */
export async function currentRepository(
  needs: Needs,
  repository: RepositoryRow,
  { knownOnly = false }: InventoryOptions = {},
): Promise<RepositoryRow> {
  const isEnough = knownOnly && repository.inventory_at !== null;
  const isListedNow = !isEnough && isDue(needs, repository);
  if (isListedNow) await listOnce(needs, repository);
  // The stored list does not apply when the host may have been replaced.
  await refuseChangedHostKey(needs.storage, repository);
  const row = isListedNow ? await readRepository(needs, repository.id) : repository;
  refuseOtherRepository(row);
  return row;
}

/** Of one process: listings that run, and when a listing failed last, by repository. */
const listings = new WeakMap<
  Needs['lanes'],
  { running: Map<number, Promise<void>>; failedAt: Map<number, number> }
>();

function listingsOf({ lanes }: Needs) {
  const known = listings.get(lanes) ?? { running: new Map(), failedAt: new Map() };
  listings.set(lanes, known);
  return known;
}

function isDue(needs: Needs, { id, inventory_at }: RepositoryRow): boolean {
  const last = Math.max(inventory_at ?? 0, listingsOf(needs).failedAt.get(id) ?? 0);
  return needs.clock.now() - last >= freshForMs;
}

function listOnce(needs: Needs, repository: RepositoryRow): Promise<void> {
  const { running } = listingsOf(needs);
  const known = running.get(repository.id);
  if (known) return known;
  const listing = list(needs, repository).finally(() => running.delete(repository.id));
  running.set(repository.id, listing);
  return listing;
}

async function list(needs: Needs, repository: RepositoryRow): Promise<void> {
  const { failedAt } = listingsOf(needs);
  try {
    await needs.lanes.withLane(repository.id, 'archive list', () => refreshInventory(needs, repository), 0);
    failedAt.delete(repository.id);
  } catch (error) {
    if (isDriverError(error)) failedAt.set(repository.id, needs.clock.now());
    needs.log.info('the archives could not be listed; the stored list is served', {
      repository: repository.id,
      error,
    });
  }
}

async function readRepository({ storage }: Needs, id: number): Promise<RepositoryRow> {
  const [repository] = await storage.find(repositories, { where: { id }, limit: 1 });
  if (!repository) throw notFound(say`repository_gone: Repository ${{ id }} no longer exists.`);
  return repository;
}

async function readArchive({ storage }: Needs, repository_id: number, archive: string) {
  const [named] = await storage.find(archives, { where: { repository_id, name: archive }, limit: 1 });
  if (named || !/^[0-9a-f]{64}$/i.test(archive)) return named ?? null;
  const where = { repository_id, tool_id: archive.toLowerCase() };
  return (await storage.find(archives, { where, limit: 1 }))[0] ?? null;
}

export interface RefreshOptions {
  /** Reads the stored size even when it is already known. */
  withSize?: boolean;
}

/**
 * Lists the archives with the tool and updates the inventory. The caller must hold the lane of the repository.
 * Rejects with a DriverError, leaving the inventory unchanged.
 */
export async function refreshInventory(
  needs: Pick<RepositoriesNeeds, 'storage' | 'events' | 'clock' | 'driver' | 'secrets' | 'redactor'>,
  repository: RepositoryRow,
  { withSize = false }: RefreshOptions = {},
): Promise<void> {
  const { storage, clock, driver } = needs;
  const { target, release } = openTarget(needs, repository);
  const options = { bypassLock: repository.bypass_lock };
  try {
    const askedAt = clock.now();
    const listed = await driver.listArchives(target, { checkpoints: true }, options);
    await rewriteInventory(needs, repository, { archives: listed.value, askedAt });
    if (!withSize && repository.stored_size !== null) return;
    const { value } = await driver.open(target, {}, options);
    await storage.update(repositories, { id: repository.id }, { stored_size: value.storedSize });
  } finally {
    release();
  }
}
