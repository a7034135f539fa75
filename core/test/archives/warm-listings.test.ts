import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { warmListings } from '../../src/backup/archives/browse.js';
import { type ArchiveScene, archiveScene } from './archive-scene.js';

let scene: ArchiveScene;
let end: () => void;
const choice = { warmAfterBackup: true };
beforeEach(async () => {
  scene = await archiveScene();
  choice.warmAfterBackup = true;
  end = warmListings({ ...scene.dependencies, cacheControl: { choice } as never });
});
afterEach(async () => {
  end();
  await scene.dependencies.listings.settled();
  await scene.end();
});

const added = (name: string, job_id: number | null) =>
  scene.dependencies.events.announce([
    { id: 1, kind: 'archives_changed', at: 0, repository_id: 1, job_id, data: { added: [name] }, seq: null },
  ]);
const listed = () => scene.tool.calls.filter(({ what }) => what === 'entries').length;

test('lists the archive of a backup once, in advance', async () => {
  added('first', 7);
  await vi.waitFor(() => expect(scene.cache.values.has('archive:1:first')).toBe(true), 20_000);
  added('first', 7);
  added('second', 8);
  await vi.waitFor(() => expect(scene.cache.values.has('archive:1:second')).toBe(true), 20_000);
  expect(listed()).toBe(2);
});

test('lists nothing if turned off, or for an external archive', async () => {
  added('first', null);
  choice.warmAfterBackup = false;
  added('second', 7);
  choice.warmAfterBackup = true;
  added('first', 9);
  await vi.waitFor(() => expect(scene.cache.values.has('archive:1:first')).toBe(true), 20_000);
  expect(listed()).toBe(1);
});
