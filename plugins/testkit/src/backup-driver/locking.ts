import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ConformanceCase } from '../case.js';
import { allEntries, archiveInput, bytesOf, rejectsWith } from './expect.js';
import { type BackupDriverHarness, withRepository } from './harness.js';
import { startEndlessBackup } from './running-backup.js';
import { makeSmallTree } from './trees.js';

/** The tool's own locks. */
export function lockingCases(harness: BackupDriverHarness): ConformanceCase[] {
  return [writerLocksOthersOut(harness), readersRunInParallel(harness), locksCanBeBroken(harness)];
}

const writerLocksOthersOut = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'during a write, a read reports the lock and its holder in time, or works without the lock',
    async (scene) => {
      const { driver, target, folder } = scene;
      const source = await makeSmallTree(join(folder, 'source'));
      await driver.createArchive(target, archiveInput([source]));
      const backup = await startEndlessBackup(scene);
      try {
        const begin = performance.now();
        const second = driver.createArchive(target, archiveInput([source], 'second'), { lockWaitSeconds: 1 });
        const error = await rejectsWith(second, 'locked');
        assert.ok(performance.now() - begin < 8000, 'the wait for the lock has no limit');
        assert.ok(error.options.holder, 'the error does not name the holder');
        assert.ok(await driver.lockHolder(target));
        const beside = { bypassLock: true };
        const { value } = await driver.listArchives(target, {}, beside);
        assert.deepEqual(
          value.map(({ name }) => name),
          ['first'],
        );
        const entries = await allEntries({ driver, target, archive: 'first', options: beside });
        assert.equal(entries.length, 2);
        const path = join(source, 'file').slice(1);
        const bytes = await bytesOf(driver.readFile(target, { archive: 'first', path }, beside));
        assert.equal(bytes.toString(), 'small');
        assert.equal((await driver.archiveInfo(target, { archive: 'first' }, beside)).value.stats.files, 1);
      } finally {
        await backup.end();
      }
    },
  );

const readersRunInParallel = (harness: BackupDriverHarness) =>
  withRepository(harness, 'readers run side by side', async ({ driver, target, folder }) => {
    const source = await makeSmallTree(join(folder, 'source'));
    await driver.createArchive(target, archiveInput([source]));
    const [archives, entries, one, two] = await Promise.all([
      driver.listArchives(target, {}),
      allEntries({ driver, target, archive: 'first' }),
      driver.archiveInfo(target, { archive: 'first' }),
      driver.archiveInfo(target, { archive: 'first' }),
    ]);
    assert.equal(archives.value.length, 1);
    assert.equal(entries.length, 2);
    assert.deepEqual(one.value, two.value);
  });

const locksCanBeBroken = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'a free repository has no holder, and breaking its lock does no harm',
    async (scene) => {
      const { driver, target } = scene;
      assert.equal(await driver.lockHolder(target), null);
      await driver.breakLock(target, {});
      await driver.open(target, {});
    },
  );
