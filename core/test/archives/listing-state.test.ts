import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { archives } from '../../src/backup/repositories/tables.js';
import { type ArchiveScene, archiveScene } from './archive-scene.js';
import { entry } from './listing/listing-world.js';

const files = 40_000;
let scene: ArchiveScene;
let tool: ReturnType<typeof slowTool>;
beforeEach(async () => {
  scene = await archiveScene();
  tool = slowTool();
  scene.dependencies.driver.listEntries = (_target, _input, options) => tool.entries(options?.signal);
});
afterEach(() => scene.end());

/** Tells half of its entries, then waits until it is let go or ended. */
function slowTool() {
  const state = { ended: false, release: () => {} };
  const released = new Promise<void>((resolve) => {
    state.release = resolve;
  });
  const half = (from: number) =>
    Array.from({ length: files / 2 }, (_, n) => entry(`folder/a file ${from + n}`));
  async function* entries(signal?: AbortSignal): AsyncGenerator<ArchiveEntry[]> {
    try {
      yield half(0);
      await new Promise<void>((resolve, reject) => {
        released.then(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      yield half(files / 2);
    } finally {
      state.ended = true;
    }
  }
  return Object.assign(state, { entries });
}

const state = () => scene.useCases.getListingState({ ...scene.of, archive: 'first' });
const browse = (signal?: AbortSignal) =>
  scene.useCases.listContents({ ...scene.of, archive: 'first', path: 'folder', limit: 1 }, signal);
const halfTold = async () => {
  await vi.waitFor(async () => expect((await state()).entries).toBeGreaterThan(files / 4), 20_000);
};

test('follows a first browse from begin to end without starting one', async () => {
  const nothing = { started_at: null, entries: null, percent: null, expected_files: null };
  expect(await state()).toMatchObject({ state: 'absent', ...nothing });
  const browsing = browse();
  await halfTold();
  expect(await state()).toMatchObject({ state: 'building', percent: null, started_at: expect.any(String) });
  await scene.storage.update(archives, { name: 'first' }, { files });
  expect(await state()).toMatchObject({ state: 'building', expected_files: files, percent: 50 });
  await scene.storage.update(archives, { name: 'first' }, { files: 10 });
  expect(await state()).toMatchObject({ percent: 99 });
  tool.release();
  expect((await browsing).total).toBe(files);
  await vi.waitFor(
    async () =>
      expect(await state()).toMatchObject({ state: 'cached', ...nothing, percent: 100, expected_files: 10 }),
    20_000,
  );
});

test('ends without waiting readers, and the next browse starts again', async () => {
  const gone = new AbortController();
  const browsing = browse(gone.signal);
  await halfTold();
  gone.abort(new Error('the client went away'));
  await expect(browsing).rejects.toThrow('the client went away');
  expect(tool.ended).toBe(true);
  expect(await state()).toMatchObject({ state: 'absent', entries: null, percent: null });
  tool.release();
  expect((await browse()).total).toBe(files);
});
