import { DriverError, type OperationOptions } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeMeasureWorker } from '../../src/backup/archives/measure-archives.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { type ArchiveScene, archiveScene, jobRow } from './archive-scene.js';

let scene: ArchiveScene;
beforeEach(async () => {
  scene = await archiveScene();
  const row = { repository_id: scene.repository.id, hostname: 'h', username: 'u', comment: '', seen_at: 0 };
  await scene.storage.insert(archives, { ...row, tool_id: 'a', name: 'older', start: 1 });
  await scene.storage.insert(archives, { ...row, tool_id: 'b', name: 'newer', start: 2 });
  await scene.storage.insert(archives, { ...row, tool_id: 'c', name: 'ours', start: 3, original_size: 5 });
});
afterEach(async () => {
  expect(scene.lane.held).toBe(0);
  await scene.end();
});

const worker = () => makeMeasureWorker(scene.dependencies, { perMinute: 3 });
/** Looks again when the lease of the last look has ended. */
async function later(work: { round(): Promise<void> }, ms = 20_000) {
  scene.clock.advance(ms);
  await work.round();
}
const infos = () => scene.tool.calls.filter(({ what }) => what === 'info').length;
const sized = async () =>
  (await scene.storage.find(archives, { where: { measured_at: { not: null } } })).map(({ name }) => name);
const hour = 3_600_000;

test('measures one archive at a time, newest first, within the configured rate', async () => {
  const [one, other] = [worker(), worker()];
  await Promise.all([one.round(), other.round()]);
  expect(await sized()).toEqual(['newer']);
  expect(await scene.storage.find(archives, { where: { name: 'newer' } })).toMatchObject([
    { original_size: expect.any(Number), files: expect.any(Number), measured_at: scene.clock.now() },
  ]);
  expect(scene.tool.calls.map(({ options }) => options?.bypassLock)).toEqual([true]);
  await later(other, 19_999);
  expect(infos()).toBe(1);
  await later(other, 1);
  expect(await sized()).toEqual(['older', 'newer']);
  await later(one);
  expect(infos()).toBe(2);
});

test('measures nothing during jobs, with a held lane or a closed repository', async () => {
  const { repository, storage } = scene;
  const order = { kind: 'backup' as const, repository, parameters: {}, requestedBy: 'a' };
  const { id } = await storage.insert(jobs, jobRow(order, 0));
  const work = worker();
  await work.round();
  await storage.update(jobs, { id }, { status: 'completed' });
  await scene.change({ open_error: 'no' });
  await later(work);
  await storage.update(repositories, {}, { open_error: null });
  scene.lane.holder = 'a check';
  await later(work);
  expect(infos()).toBe(0);
  expect(await storage.find(archives, { where: { measure_failures: { gt: 0 } } })).toEqual([]);
  scene.lane.holder = null;
  await later(work, 60_000);
  expect(await sized()).toEqual(['newer']);
});

describe('a tool that fails', () => {
  test('is asked three times for each archive, an hour apart', async () => {
    scene.tool.failure = new DriverError('failed', 'broken');
    const work = worker();
    await work.round();
    await later(work);
    expect(infos()).toBe(1);
    for (let round = 0; round < 10; round++) await later(work, 2 * hour);
    expect(infos()).toBe(6);
    expect(await sized()).toEqual([]);
  });

  test('does not count an interruption by a job as a failure', async () => {
    const { repository, storage } = scene;
    const order = { kind: 'backup' as const, repository, parameters: {}, requestedBy: 'a' };
    const driver = {
      archiveInfo: async (_: unknown, __: unknown, { signal }: OperationOptions) => {
        await storage.insert(jobs, jobRow(order, 0));
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        throw new DriverError('cancelled', 'cancelled');
      },
    };
    const needs = { ...scene.dependencies, driver } as never;
    await makeMeasureWorker(needs, { perMinute: 3 }).round();
    expect(await storage.find(archives, { where: { measure_failures: { gt: 0 } } })).toEqual([]);
  });
});

test('continues with others after a process died while measuring', async () => {
  const { storage, clock } = scene;
  const dying = { ...scene.dependencies, lanes: { withLane: () => new Promise(() => {}) } } as never;
  void makeMeasureWorker(dying, { perMinute: 3 }).round();
  await new Promise((resolve) => setImmediate(resolve));
  await worker().round();
  expect(infos()).toBe(0);
  clock.advance(11 * 60_000);
  await worker().round();
  expect(infos()).toBe(1);
  expect(await storage.find(archives, { where: { measured_at: null } })).toHaveLength(2);
});

test('stores the details of an archive that a user requested', async () => {
  await scene.useCases.getArchive({ ...scene.of, archive: 'first', include_files: false, file_limit: 1 });
  expect(await sized()).toEqual(['first']);
});
