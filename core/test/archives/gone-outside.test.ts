import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followArchiveChanges } from '../../src/backup/archives/listing/follow-archive-changes.js';
import { type ArchiveScene, archiveScene, summary } from './archive-scene.js';
import { entry } from './listing/listing-world.js';

let scene: ArchiveScene;
let end: () => void;
beforeEach(async () => {
  scene = await archiveScene();
  end = followArchiveChanges(scene.dependencies);
});
afterEach(async () => {
  end();
  await scene.dependencies.listings.settled();
  await scene.end();
});

const minute = 60_000;
const names = async (archive: string) => {
  const { items } = await scene.useCases.listContents({ ...scene.of, archive, path: '' });
  return items.map(({ name }) => name);
};
const keys = () => [...scene.cache.values.keys()];

test('notices an archive deleted by another program within a minute', async () => {
  scene.tool.entries = [entry('a')];
  expect(await names('first')).toEqual(['a']);
  expect(await names('second')).toEqual(['a']);
  await scene.dependencies.listings.settled();
  scene.tool.archives = [summary('second')];
  scene.clock.advance(minute);
  await expect(names('first')).rejects.toMatchObject({ code: 'not_found' });
  await vi.waitFor(() => expect(keys()).toEqual(['archive:1:second/0', 'archive:1:second']), 20_000);
});

test('lists another archive under the name of a deleted one again', async () => {
  scene.tool.entries = [entry('a')];
  expect(await names('first')).toEqual(['a']);
  await scene.dependencies.listings.settled();
  scene.tool.archives = [summary('first', 'made again')];
  scene.tool.entries = [entry('b')];
  scene.clock.advance(minute);
  expect(await names('first')).toEqual(['b']);
});
