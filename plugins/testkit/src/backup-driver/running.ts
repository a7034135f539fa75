import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolProcess, ToolProgress } from '@holdfast/plugin-api/driver';
import type { ConformanceCase } from '../case.js';
import { allEntries, archiveInput, isRunning, rejectsWith, until } from './expect.js';
import { type BackupDriverHarness, passphrase, type Scene, withRepository } from './harness.js';
import { startEndlessBackup } from './running-backup.js';
import { makeLongListing, makeSmallTree } from './trees.js';

/** The tool as a process: progress, cancellation, leftovers, secrets. */
export function runningCases(harness: BackupDriverHarness): ConformanceCase[] {
  return [
    progressIsReported(harness),
    cancelKeepsTheRepository(harness),
    abortedSignalStartsNothing(harness),
    earlyExitEndsTheTool(harness),
    destroyedStreamEndsTheTool(harness),
    secretsStaySecret(harness),
    endsLeftovers(harness),
  ];
}

const progressIsReported = (harness: BackupDriverHarness) =>
  withRepository(harness, 'progress and the process are reported during a run', async (scene) => {
    const { driver, target, folder } = scene;
    const source = await makeSmallTree(join(folder, 'source'));
    const seen: ToolProgress[] = [];
    const processes: (ToolProcess & { running: boolean })[] = [];
    await driver.createArchive(target, archiveInput([source]), {
      onProgress: (progress) => seen.push(progress),
      onProcess: (process) => {
        processes.push({ ...process, running: isRunning(process.pid) });
      },
    });
    assert.ok(seen.length > 0, 'no progress was reported');
    assert.ok(
      seen.some(({ currentPath, originalSize }) => currentPath !== undefined && originalSize !== undefined),
    );
    assert.equal(processes.length, 1);
    const [process] = processes;
    assert.ok(process?.running && process.startedAt !== '' && process.host !== '');
    assert.ok(!isRunning(process.pid), 'the tool outlived its operation');
  });

const cancelKeepsTheRepository = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'a cancelled backup rejects, ends the tool and leaves a usable repository',
    async (scene) => {
      const { driver, target, folder } = scene;
      const backup = await startEndlessBackup(scene);
      const begin = performance.now();
      backup.abort();
      await rejectsWith(backup.result, 'cancelled');
      assert.ok(performance.now() - begin < 16_000, 'the tool was not ended in time');
      assert.ok(!isRunning(backup.process.pid), 'the tool still runs');
      const source = await makeSmallTree(join(folder, 'source'));
      await driver.createArchive(target, archiveInput([source], 'after'), { lockWaitSeconds: 10 });
      assert.deepEqual(
        (await driver.listArchives(target, {})).value.map(({ name }) => name),
        ['after'],
      );
    },
  );

const abortedSignalStartsNothing = (harness: BackupDriverHarness) =>
  withRepository(harness, 'an aborted signal starts nothing', async ({ driver, target, folder }) => {
    const source = await makeSmallTree(join(folder, 'source'));
    const processes: ToolProcess[] = [];
    const onProcess = (process: ToolProcess) => {
      processes.push(process);
    };
    const options = { signal: AbortSignal.abort(), onProcess };
    await rejectsWith(driver.createArchive(target, archiveInput([source]), options), 'cancelled');
    await rejectsWith(driver.listArchives(target, {}, options), 'cancelled');
    await rejectsWith(allEntries({ driver, target, archive: 'first', options }), 'cancelled');
    assert.deepEqual(processes, []);
  });

async function storeLongListing({ driver, target, folder }: Scene): Promise<number> {
  const tree = join(folder, 'long');
  const count = await makeLongListing(tree);
  await driver.createArchive(target, archiveInput([tree]));
  return count + 1;
}

const earlyExitEndsTheTool = (harness: BackupDriverHarness) =>
  withRepository(harness, 'a listing waits for its reader and ends with it', async (scene) => {
    const { driver, target } = scene;
    const count = await storeLongListing(scene);
    let process: ToolProcess | undefined;
    const onProcess = (started: ToolProcess) => {
      process = started;
    };
    for await (const batch of driver.listEntries(target, { archive: 'first' }, { onProcess })) {
      assert.ok(batch.length > 0 && batch.length < count / 2, `${batch.length} entries at once`);
      // Long enough for a tool without backpressure to print all of it.
      await new Promise((resolve) => setTimeout(resolve, harness.settleMs ?? 1000));
      assert.ok(process && isRunning(process.pid), 'the tool did not wait for the reader');
      break;
    }
    assert.ok(process && !isRunning(process.pid), 'the tool still runs after the loop was left');
    const listings = [1, 2].map(() => allEntries({ driver, target, archive: 'first' }));
    const lengths = (await Promise.all(listings)).map((entries) => entries.length);
    assert.deepEqual(lengths, [count, count]);
  });

const destroyedStreamEndsTheTool = (harness: BackupDriverHarness) =>
  withRepository(harness, 'destroying a file stream ends the tool', async ({ driver, target, folder }) => {
    const source = await makeSmallTree(join(folder, 'source'));
    await driver.createArchive(target, archiveInput([source]));
    let process: ToolProcess | undefined;
    const input = { archive: 'first', path: join(source, 'file').slice(1) };
    const stream = driver.readFile(target, input, {
      onProcess: (started) => {
        process = started;
        stream.destroy();
      },
    });
    const closed = once(stream, 'close');
    stream.resume();
    await closed;
    await until(() => process !== undefined && !isRunning(process.pid), 'the end of the tool');
  });

const secretsStaySecret = (harness: BackupDriverHarness) =>
  withRepository(harness, 'no process shows the passphrase', async (scene) => {
    const backup = await startEndlessBackup(scene);
    try {
      const shown: string[] = [];
      for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
        for (const file of ['cmdline', 'environ']) {
          const text = await readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
          if (text.includes(passphrase)) shown.push(`${pid}/${file}`);
        }
      assert.deepEqual(shown, []);
    } finally {
      await backup.end();
    }
  });

const endsLeftovers = (harness: BackupDriverHarness) =>
  withRepository(harness, 'endProcess ends exactly the given process', async (scene) => {
    const { driver, target, folder } = scene;
    const backup = await startEndlessBackup(scene);
    const failed = rejectsWith(backup.result, null);
    const { process } = backup;
    try {
      assert.equal(await driver.endProcess({ ...process, host: 'another machine' }), 'elsewhere');
      assert.equal(await driver.endProcess({ ...process, startedAt: '1' }), 'gone');
      assert.ok(isRunning(process.pid), 'it ended a process that only has the same pid');
      assert.equal(await driver.endProcess(process), 'ended');
      assert.ok(!isRunning(process.pid));
      await failed;
    } finally {
      await backup.end();
    }
    assert.equal(await driver.endProcess(process), 'gone');
    const source = await makeSmallTree(join(folder, 'source'));
    await driver.createArchive(target, archiveInput([source], 'after'), { lockWaitSeconds: 10 });
  });
