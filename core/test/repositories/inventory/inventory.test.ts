import { type ArchiveSummary, DriverError } from '@holdfast/plugin-api/driver';
import { beforeEach, describe, expect, it } from 'vitest';
import { currentInventory } from '../../../src/backup/repositories/inventory/current-inventory.js';
import { addArchive, removeArchives } from '../../../src/backup/repositories/inventory/recorded-archives.js';
import { rewriteInventory } from '../../../src/backup/repositories/inventory/rewrite-inventory.js';
import { type ArchiveRow, archives, type RepositoryRow } from '../../../src/backup/repositories/tables.js';
import { type JobRow, jobs } from '../../../src/engine/jobs/tables.js';
import { events } from '../../../src/foundation/events/tables.js';
import { conflict } from '../../../src/foundation/kernel/errors.js';
import { said } from '../../fakes/said.js';
import { archive } from '../fake-driver.js';
import { makeWorld } from '../world.js';

const stats = { originalSize: 30, compressedSize: 20, deduplicatedSize: 10, files: 3 };

let world: ReturnType<typeof makeWorld>;
let repository: RepositoryRow;
let job: JobRow;

beforeEach(async () => {
  world = makeWorld();
  const created = await world.create();
  repository = (await world.row(created.repository.id)) as RepositoryRow;
  job = await world.addJob(repository.id, 'completed');
});

const rows = (): Promise<ArchiveRow[]> => world.storage.find(archives);
const names = async () => (await rows()).map((row) => row.name).sort();
const row = async () => (await world.row(repository.id)) as RepositoryRow;
const rewrite = (listed: ArchiveSummary[], askedAt = world.clock.now()) =>
  rewriteInventory(world.dependencies, repository, { archives: listed, askedAt });
const changes = async () =>
  (await world.storage.find(events, { where: { kind: 'archives_changed' } })).map((event) => event.data);

describe('rewriting the inventory', () => {
  it('follows the listing and keeps known sizes only for the same archive', async () => {
    const made = { archive: archive('a'), stats, repositoryStoredSize: null };
    await addArchive(world.storage, repository, { job, made, at: world.clock.now() - 10 });
    await rewrite([archive('a', { comment: 'new' }), archive('b', { end: null, start: 7000 })]);
    expect(await rows()).toMatchObject([
      { name: 'a', original_size: 30, comment: 'new' },
      { name: 'b', original_size: null },
    ]);
    expect(await row()).toMatchObject({
      archive_count: 2,
      last_backup: 7000,
      inventory_at: world.clock.now(),
    });
    await rewrite([archive('a', { id: 'made anew' })]);
    expect(await rows()).toMatchObject([{ name: 'a', tool_id: 'made anew', original_size: null }]);
    expect(await changes()).toEqual([
      { added: ['b'], removed: [] },
      { added: ['a'], removed: ['a', 'b'] },
    ]);
  });

  it('assigns each archive to the job that recorded its id, even after it returned', async () => {
    const outcome = { archive: archive('a'), lacking: ['/mnt/disk'] };
    const values = { uid: 'ab12', schedule_id: 7, outcome };
    await world.storage.update(jobs, { id: job.id }, values);
    const [own, forged] = ['a', 'forged'].map((name) =>
      archive(name, { comment: 'holdfast:2:here:-:ab12' }),
    ) as [ArchiveSummary, ArchiveSummary];
    const recorded = { job_id: job.id, schedule_id: 7, lacking: ['/mnt/disk'] };
    await rewrite([own, forged]);
    expect(await rows()).toMatchObject([recorded, { name: 'forged', job_id: null, schedule_id: null }]);
    await rewrite([]);
    await rewrite([{ ...own, name: 'renamed' }]);
    expect(await rows()).toMatchObject([{ name: 'renamed', ...recorded }]);
    await world.storage.update(archives, {}, { damaged: true });
    await rewrite([{ ...own, name: 'renamed' }]);
    expect(await rows()).toMatchObject([{ damaged: true, ...recorded }]);
  });

  it('ignores jobs of other repositories, but not those of a removed registration', async () => {
    const own = archive('a', { comment: `holdfast:1:here:-:${job.id}` });
    await world.storage.update(jobs, { id: job.id }, { outcome: { archive: own }, repository_id: 99 });
    await rewrite([own]);
    expect(await rows()).toMatchObject([{ job_id: null }]);
    await world.storage.update(jobs, { id: job.id }, { repository_id: null });
    await rewrite([own]);
    expect(await rows()).toMatchObject([{ job_id: job.id }]);
  });

  it('counts unfinished archives and ignores the future for the last backup', async () => {
    const future = world.clock.now() + 86_400_000;
    await rewrite([archive('a', { end: 9000 }), archive('b.checkpoint'), archive('c', { start: future })]);
    expect(await names()).toEqual(['a', 'c']);
    expect(await row()).toMatchObject({ unfinished_archives: 1, last_backup: 9000 });
  });

  it('never moves the last backup back and reports nothing without a change', async () => {
    await rewrite([archive('a', { end: 9000 })]);
    await rewrite([archive('a', { end: 9000 })]);
    expect(await changes()).toHaveLength(1);
    await rewrite([]);
    expect(await row()).toMatchObject({ archive_count: 0, last_backup: 9000 });
  });

  it('keeps archives added since the listing began and ignores an older listing', async () => {
    const askedAt = world.clock.now();
    world.clock.advance(5);
    const made = { archive: archive('late'), stats, repositoryStoredSize: 99 };
    await addArchive(world.storage, repository, { job, made, at: world.clock.now() });
    await rewrite([archive('a')], askedAt);
    expect(await names()).toEqual(['a', 'late']);
    await rewrite([], askedAt - 1000);
    expect(await names()).toEqual(['a', 'late']);
  });
});

describe('adding and removing', () => {
  it('counts, and may be repeated', async () => {
    const made = { archive: archive('a', { end: 5000 }), stats, repositoryStoredSize: 4096 };
    for (let n = 0; n < 2; n++)
      await addArchive(world.storage, repository, { job, made, at: world.clock.now() });
    expect(await row()).toMatchObject({ archive_count: 1, stored_size: 4096, last_backup: 5000 });
    expect(await removeArchives(world.storage, repository.id, ['a', 'not there'])).toBe(1);
    expect(await removeArchives(world.storage, repository.id, ['a'])).toBe(0);
    expect(await row()).toMatchObject({ archive_count: 0, stored_size: 4096 });
  });
});

describe('the inventory for readers', () => {
  const withLanes = (busy = false) => {
    const lanes = {
      withLane: async <T>(
        _id: number,
        _what: string,
        work: () => Promise<T>,
        waitMs?: number,
      ): Promise<T> => {
        expect(waitMs).toBe(0);
        if (busy) throw conflict(said('backup job 1 holds it'));
        return work();
      },
      aloneInLane: () => Promise.reject(new Error('a reader asks for no lane of its own')),
    };
    return currentInventory.bind(null, { ...world.dependencies, lanes });
  };
  const listings = () => world.driver.calls.filter((call) => call === 'listArchives').length;
  const place = () => world.driver.repositories.get('/backups/home');

  beforeEach(() => {
    place()?.archives.push(archive('a'));
  });

  it('asks the tool only when the rows are a minute old', async () => {
    const read = withLanes();
    expect(await read(repository)).toMatchObject({ archives: [], asOf: world.clock.now() });
    world.clock.advance(60_000);
    const inventory = await read(await row());
    expect(inventory).toMatchObject({ archives: [{ name: 'a' }], asOf: world.clock.now() });
    expect(inventory.repository).toMatchObject({ archive_count: 1, stored_size: 1631 });
    await read(await row());
    expect(listings()).toBe(1);
  });

  it('reads known rows without the tool unless no listing exists', async () => {
    const read = withLanes();
    world.clock.advance(3_600_000);
    expect(await read(await row(), { knownOnly: true })).toMatchObject({ archives: [] });
    expect(listings()).toBe(0);
    await read({ ...(await row()), inventory_at: null }, { knownOnly: true });
    expect(listings()).toBe(1);
  });

  it('serves stored rows while the lane is busy and lists afterwards', async () => {
    world.clock.advance(60_000);
    expect(await withLanes(true)(repository)).toMatchObject({ archives: [], asOf: repository.inventory_at });
    expect(await withLanes()(repository)).toMatchObject({ archives: [{ name: 'a' }] });
  });

  it('serves stored rows when the tool fails and retries after a minute', async () => {
    world.clock.advance(60_000);
    const read = withLanes();
    world.driver.failures.set('listArchives', new DriverError('repository_missing', 'gone'));
    expect(await read(repository)).toMatchObject({ archives: [], asOf: repository.inventory_at });
    await read(repository);
    expect(listings()).toBe(1);
    world.clock.advance(60_000);
    expect(await read(repository)).toMatchObject({ archives: [{ name: 'a' }] });
  });

  it('shares one listing among readers', async () => {
    world.clock.advance(60_000);
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    world.driver.beforeListing = () => held;
    const read = withLanes();
    const both = Promise.all([read(repository), read(repository)]);
    go();
    expect((await both).map((each) => each.archives.length)).toEqual([1, 1]);
    expect(listings()).toBe(1);
  });

  it('hides the passphrase only while the tool is asked', async () => {
    world.clock.advance(60_000);
    let during = '';
    world.driver.beforeListing = async () => {
      during = world.redactor.redact('correct horse');
    };
    await withLanes()(repository);
    expect([during, world.redactor.redact('correct horse')]).toEqual(['***', 'correct horse']);
  });
});
