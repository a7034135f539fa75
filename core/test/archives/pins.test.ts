import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeExpiredPins } from '../../src/app/housekeeping/remove-expired.js';
import type { Sweep } from '../../src/app/housekeeping/sweep.js';
import { archiveDeletionHandler } from '../../src/backup/archives/deletion.js';
import { rewriteInventory } from '../../src/backup/repositories/inventory/rewrite-inventory.js';
import { pins } from '../../src/backup/repositories/tables.js';
import type { JobContext } from '../../src/engine/jobs/job-contract.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { type ArchiveScene, archiveScene, caller, jobRow, summary } from './archive-scene.js';

let scene: ArchiveScene;
beforeEach(async () => {
  scene = await archiveScene();
});
afterEach(() => scene.end());

const pin = (archive = 'first', until: string | null = null) =>
  scene.useCases.pinArchive(caller, { ...scene.of, archive }, { reason: 'a move', until });
const unpin = (archive = 'first') => scene.useCases.unpinArchive({ ...scene.of, archive });
const remove = (archive = 'first') => scene.useCases.deleteArchive(caller, { ...scene.of, archive });
const later = (ms: number) => new Date(scene.clock.now() + ms).toISOString();
const pinned = async () =>
  (await scene.useCases.listArchives(scene.of)).archives.flatMap((each) => (each.pinned ? each.name : []));
const list = (archives: ArchiveScene['tool']['archives']) => {
  scene.tool.archives = archives;
  scene.clock.advance(60_000);
  return rewriteInventory(scene.dependencies, scene.repository, { archives, askedAt: scene.clock.now() });
};
const running = (kind: 'prune' | 'check' | 'archive_deletion', parameters: Record<string, unknown>) => {
  const order = { kind, repository: scene.repository, parameters, requestedBy: 'ann' };
  return scene.storage.insert(jobs, { ...jobRow(order, scene.clock.now()), status: 'running' });
};

describe('pinning', () => {
  test('refuses deletion until the archive is unpinned', async () => {
    expect(await pin()).toMatchObject({ pinned: { reason: 'a move', until: null, by: 'alice' } });
    expect(await pinned()).toEqual(['first']);
    const refusal = { code: 'conflict', reason: { code: 'archive_pinned' } };
    await expect(remove()).rejects.toMatchObject(refusal);
    await expect(remove('second')).resolves.toMatchObject({ success: true });
    expect(await unpin()).toMatchObject({ pinned: null });
    await expect(unpin()).rejects.toMatchObject({ code: 'not_found' });
    await expect(remove()).resolves.toMatchObject({ success: true });
  });

  test('extends a pin, but does not shorten it', async () => {
    await pin('first', later(1000));
    await pin('first', later(2000));
    const refusal = { reason: { code: 'pin_shortened' } };
    await expect(pin('first', later(1500))).rejects.toMatchObject(refusal);
    await pin();
    await expect(pin('first', later(5000))).rejects.toMatchObject(refusal);
    await expect(pin('second', later(0))).rejects.toMatchObject({ reason: { code: 'pin_has_ended' } });
    expect(await scene.storage.find(pins)).toHaveLength(1);
  });

  test.each([
    ['prune', { scheduleId: null }, false],
    ['prune', { scheduleId: 7 }, true],
    ['prune', { scheduleId: null, byHand: { dryRun: true } }, true],
    ['check', { repair: true, mayDelete: ['first'] }, false],
    ['check', { repair: true, mayDelete: ['second'] }, true],
    ['archive_deletion', { archive: 'first', archive_id: summary('first').id }, false],
    ['archive_deletion', { archive: 'second', archive_id: summary('second').id }, true],
  ] as const)('considers a running %s with %j', async (kind, parameters, isAllowed) => {
    await running(kind, parameters);
    const refusal = { reason: { code: 'pin_while_removing' } };
    if (isAllowed) await expect(pin()).resolves.toMatchObject({ success: true });
    else await expect(pin()).rejects.toMatchObject(refusal);
  });
});

test('ends at its time, and is removed then', async () => {
  await pin('first', later(1000));
  await pin('second');
  const sweep = { storage: scene.storage, clock: scene.clock, going: () => true } as unknown as Sweep;
  await removeExpiredPins(sweep);
  expect(await pinned()).toEqual(['first', 'second']);
  scene.clock.advance(1000);
  expect(await pinned()).toEqual(['second']);
  await expect(remove()).resolves.toMatchObject({ success: true });
  await removeExpiredPins(sweep);
  expect(await scene.storage.find(pins)).toHaveLength(1);
});

test('fails a waiting deletion of an archive that was pinned or renamed meanwhile', async () => {
  await remove();
  const [job] = await scene.storage.find(jobs);
  await pin();
  const context = { job, repository: scene.repository, progress: () => {}, toolOptions: () => ({}) };
  const run = () => archiveDeletionHandler(scene.dependencies).run(context as unknown as JobContext);
  expect(await run()).toMatchObject({ status: 'failed', error: { code: 'archive_pinned' } });
  await list([summary('second'), summary('first', 'other id')]);
  expect(await run()).toMatchObject({ status: 'failed', error: { code: 'archive_pinned' } });
  expect(scene.tool.calls.filter(({ what }) => what === 'deleteArchives')).toEqual([]);
});

describe('when others change the repository', () => {
  test('follows a renamed archive, and not a new one of the old name', async () => {
    await pin();
    const other = { ...summary('first', 'new'), start: summary('first').start + 1 };
    await list([summary('second'), other, summary('renamed')].map((each) => ({ ...each })));
    expect(await pinned()).toEqual(['renamed']);
  });

  test('follows the archive to a new id', async () => {
    await pin();
    await list([summary('second'), summary('renamed', 'new id')]);
    expect(await pinned()).toEqual(['renamed']);
    await list([summary('second'), { ...summary('renamed', 'third id'), comment: 'another' }]);
    expect(await pinned()).toEqual([]);
    await list([summary('second'), summary('back', 'new id')]);
    expect(await pinned()).toEqual(['back']);
  });

  test('removes the pin of an archive that is gone by its id', async () => {
    await pin();
    await list([summary('second')]);
    expect(await pinned()).toEqual([]);
    await expect(unpin('first')).rejects.toMatchObject({ code: 'not_found' });
    expect(await unpin(summary('first').id)).toMatchObject({ success: true });
    expect(await scene.storage.find(pins)).toEqual([]);
  });
});
