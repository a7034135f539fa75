import { DriverError } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeIndexWorker } from '../../src/backup/archives/memory/index-worker.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { memoryIndexes } from '../fakes/memory-indexes.js';
import { type ArchiveScene, archiveScene, jobRow } from './archive-scene.js';
import { entry } from './listing/listing-world.js';

let scene: ArchiveScene;
beforeEach(async () => {
  scene = await archiveScene();
  scene.tool.entries = [entry('a'), entry('b')];
  for (const [start, name] of ['first', 'second', 'third'].entries()) await add(name, start);
});
afterEach(() => scene.end());

const add = (name: string, start: number) =>
  scene.storage.insert(archives, {
    repository_id: scene.repository.id,
    tool_id: name,
    name,
    start,
    hostname: 'h',
    username: 'u',
    comment: '',
    seen_at: 0,
  });

/** A worker after its first look. */
async function begun(maxBytes = 100) {
  const { indexes, all } = memoryIndexes(maxBytes);
  const worker = makeIndexWorker({ ...scene.dependencies, indexes });
  await worker.begin();
  return {
    worker,
    all,
    indexes,
    held: () => [...(all.get(scene.repository.tool_id)?.keys() ?? [])],
    finish: async () => {
      while (await worker.round());
    },
  };
}
const read = () => scene.tool.calls.filter(({ what }) => what === 'entries');

test('adds the newest archive first, without a lock', async () => {
  const { worker, held } = await begun();
  expect(await worker.round()).toBe(true);
  expect(held()).toEqual(['third']);
  while (await worker.round());
  expect(held()).toEqual(['third', 'second', 'first']);
  expect(read().map(({ options }) => options?.bypassLock)).toEqual([true, true, true]);
});

test('removes archives that are gone, and reads none twice', async () => {
  const { worker, held, finish } = await begun();
  await finish();
  await scene.storage.remove(archives, { name: 'second' });
  await add('fourth', 9);
  await worker.begin();
  await finish();
  expect(held()).toEqual(['third', 'first', 'fourth']);
  expect(read()).toHaveLength(4);
});

test('keeps no index without archives, and measures none that lacks nothing', async () => {
  const { worker, all, indexes, finish } = await begun();
  await finish();
  let measured = 0;
  const { sizes } = indexes;
  indexes.sizes = () => {
    measured += 1;
    return sizes();
  };
  await worker.begin();
  await finish();
  // Once for the indexes of repositories that are no longer registered.
  expect(measured).toBe(1);
  await scene.storage.remove(archives, {});
  await worker.begin();
  await finish();
  expect([...all.keys()]).toEqual([]);
});

test('reads nothing during a job, with a held lane or a closed repository', async () => {
  const { repository, storage } = scene;
  const order = { kind: 'backup' as const, repository, parameters: {}, requestedBy: 'a' };
  const { id } = await storage.insert(jobs, jobRow(order, 0));
  const { worker, held } = await begun();
  await worker.round();
  await storage.update(jobs, { id }, { status: 'completed' });
  scene.lane.holder = 'a reader';
  await worker.round();
  scene.lane.holder = null;
  await scene.change({ open_error: 'no' });
  await worker.round();
  expect(read()).toEqual([]);
  await scene.change({ open_error: null });
  await worker.begin();
  await worker.round();
  expect(held()).toEqual(['third']);
});

describe('the limit', () => {
  test('drops the oldest archives, and adds none of them again', async () => {
    const { worker, held, finish } = await begun(5);
    await finish();
    expect(held()).toEqual(['third', 'second']);
    await add('fourth', 9);
    await worker.begin();
    await finish();
    expect(held()).toEqual(['third', 'fourth']);
    expect(read()).toHaveLength(4);
  });

  test('leaves out an archive that is larger', async () => {
    const { held, finish } = await begun(1);
    await finish();
    expect(held()).toEqual([]);
    expect(read()).toHaveLength(3);
  });
});

test('leaves a repository alone for ten minutes when the tool fails', async () => {
  scene.tool.failure = new DriverError('failed', 'broken');
  const { held, finish, worker } = await begun();
  await finish();
  expect(read()).toHaveLength(1);
  scene.tool.failure = null;
  scene.clock.advance(600_001);
  await worker.round();
  expect(held()).toEqual(['third']);
});

test('removes the index of a repository that is no longer registered', async () => {
  const { worker, all, finish } = await begun();
  await finish();
  await scene.storage.remove(repositories, { id: scene.repository.id });
  await worker.begin();
  expect([...all.keys()]).toEqual([]);
});

test('reads nothing after it was stopped', async () => {
  const { worker } = await begun();
  await worker.stop();
  await worker.round();
  expect(read()).toEqual([]);
});
