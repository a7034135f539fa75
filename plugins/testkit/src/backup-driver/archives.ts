import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type ConformanceCase, offered } from '../case.js';
import { allEntries, archiveInput, bytesOf, rejectsWith } from './expect.js';
import { type BackupDriverHarness, withRepository } from './harness.js';
import { makeSmallTree } from './trees.js';

/** Archives as a whole: their metadata and deletion. */
export function archiveCases(harness: BackupDriverHarness): ConformanceCase[] {
  return [
    summariesAreCorrect(harness),
    lookTellsTheSame(harness),
    missingItemsHaveErrors(harness),
    duplicateNameIsRejected(harness),
    missingSourceWarns(harness),
    deletionReportsMissing(harness),
    compactRuns(harness),
    checkFindsNothing(harness),
    flagProblemsNameTheFlag(harness),
  ];
}

const oddName = '-odd {now} ü::x@y';

const summariesAreCorrect = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'list and info return what create was given',
    async ({ driver, target, folder }) => {
      const source = await makeSmallTree(join(folder, 'source'));
      const begin = Date.now();
      const comment = 'holdfast:1:{hostname}:ü "quoted"';
      const created = await driver.createArchive(target, { ...archiveInput([source], oddName), comment });
      await driver.createArchive(target, archiveInput([source], 'later'));
      assert.deepEqual(created.warnings, []);
      assert.equal(created.value.archive.name, oddName);
      assert.equal(created.value.stats.files, 1);
      const { value: archives } = await driver.listArchives(target, {});
      assert.deepEqual(
        archives.map(({ name }) => name),
        [oddName, 'later'],
      );
      const [first] = archives;
      assert.ok(first && Math.abs(first.start - begin) < 60_000, 'the start is not in UTC');
      // Some tools can only tell afterwards, if at all.
      const signature = undefined;
      assert.deepEqual({ ...first, signature }, { ...created.value.archive, signature });
      assert.equal(first.comment, comment);
      const { value: info } = await driver.archiveInfo(target, { archive: oddName });
      assert.equal(info.id, first.id);
      assert.equal(info.comment, comment);
      assert.equal(info.stats.files, 1);
      assert.ok(info.stats.originalSize >= 5 && info.duration >= 0);
    },
  );

const lookTellsTheSame = (harness: BackupDriverHarness) =>
  withRepository(harness, 'look tells what open and list tell', async ({ driver, target, folder }) => {
    const look = offered(driver.look, 'look').bind(driver);
    const source = await makeSmallTree(join(folder, 'source'));
    await driver.createArchive(target, archiveInput([source], oddName));
    const { value: opened } = await driver.open(target, {});
    const { value: archives } = await driver.listArchives(target, {});
    const bare = { ...target };
    delete bare.expected;
    for (const asked of [target, bare]) {
      const { value, warnings } = await look(asked, {}, { bypassLock: asked === bare });
      assert.deepEqual(warnings, []);
      assert.deepEqual([value.id, value.encryption], [opened.id, opened.encryption]);
      const told = value.archives.map(({ commandLine, ...archive }) => {
        assert.ok(commandLine.includes(source), 'the command line does not name the source');
        return archive;
      });
      assert.deepEqual(told, archives);
    }
    await rejectsWith(look({ ...target, location: join(folder, 'none') }, {}), 'repository_missing');
  });

const missingItemsHaveErrors = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'unknown archives and paths have their own errors',
    async ({ driver, target, folder }) => {
      const source = await makeSmallTree(join(folder, 'source'));
      await driver.createArchive(target, archiveInput([source]));
      await rejectsWith(driver.archiveInfo(target, { archive: 'gone' }), 'archive_missing');
      await rejectsWith(allEntries({ driver, target, archive: 'gone' }), 'archive_missing');
      const path = join(source, 'file').slice(1);
      await rejectsWith(bytesOf(driver.readFile(target, { archive: 'gone', path })), 'archive_missing');
      for (const unknown of [`${path}2`, path.slice(0, -1), `${path}/x`])
        await rejectsWith(
          bytesOf(driver.readFile(target, { archive: 'first', path: unknown })),
          'path_missing',
        );
    },
  );

const duplicateNameIsRejected = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'an existing archive name is rejected and the archive stays',
    async ({ driver, target, folder }) => {
      const source = await makeSmallTree(join(folder, 'source'));
      const { value } = await driver.createArchive(target, archiveInput([source]));
      await rejectsWith(driver.createArchive(target, archiveInput([source])), 'archive_exists');
      assert.deepEqual(
        (await driver.listArchives(target, {})).value.map(({ id }) => id),
        [value.archive.id],
      );
    },
  );

const missingSourceWarns = (harness: BackupDriverHarness) =>
  withRepository(harness, 'a missing source is named in a warning, the others are stored', async (scene) => {
    const { driver, target, folder } = scene;
    const source = await makeSmallTree(join(folder, 'source'));
    const missing = join(folder, 'no-such-source');
    const { value, warnings } = await driver.createArchive(target, archiveInput([missing, source]));
    assert.equal(value.stats.files, 1);
    assert.ok(
      warnings.some((warning) => warning.includes(missing)),
      `the missing source is not named in ${JSON.stringify(warnings)}`,
    );
  });

const deletionReportsMissing = (harness: BackupDriverHarness) =>
  withRepository(harness, 'deletion uses exact names and reports missing ones', async (scene) => {
    const { driver, target, folder } = scene;
    const source = await makeSmallTree(join(folder, 'source'));
    for (const name of ['web', 'web-db', oddName])
      await driver.createArchive(target, archiveInput([source], name));
    const { value } = await driver.deleteArchives(target, { archives: ['gone', 'web', oddName, 'web*'] });
    assert.deepEqual(
      { deleted: value.deleted.toSorted(), missing: value.missing.toSorted() },
      {
        deleted: [oddName, 'web'],
        missing: ['gone', 'web*'],
      },
    );
    assert.deepEqual(
      (await driver.listArchives(target, {})).value.map(({ name }) => name),
      ['web-db'],
    );
    const again = await driver.deleteArchives(target, { archives: ['web'] });
    assert.deepEqual(again.value, { deleted: [], missing: ['web'] });
  });

const compactRuns = (harness: BackupDriverHarness) =>
  withRepository(harness, 'compact runs on a sound repository', async ({ driver, target, folder }) => {
    const source = await makeSmallTree(join(folder, 'source'));
    await driver.createArchive(target, archiveInput([source]));
    await driver.deleteArchives(target, { archives: ['first'] });
    const { value } = await driver.compact(target, {});
    assert.ok(value.freedBytes === null || value.freedBytes >= 0);
  });

const checkFindsNothing = (harness: BackupDriverHarness) =>
  withRepository(harness, 'check finds nothing in a sound repository', async ({ driver, target, folder }) => {
    const check = offered(driver.check, 'check').bind(driver);
    const source = await makeSmallTree(join(folder, 'source'));
    await driver.createArchive(target, archiveInput([source]));
    for (const maxSeconds of [0, 5]) {
      const { value, warnings } = await check(target, { maxSeconds });
      assert.equal(value.partial, maxSeconds > 0);
      assert.deepEqual([...warnings, ...(value.damagedArchives ?? [])], []);
    }
  });

const flagProblemsNameTheFlag = (harness: BackupDriverHarness) =>
  withRepository(harness, 'each problem of custom flags names its flag', async ({ driver }) => {
    assert.deepEqual(driver.checkCustomFlags([]), []);
    for (const flag of ['--no-such-flag', '--rsh=touch /tmp/x', '/etc/passwd']) {
      const problems = driver.checkCustomFlags([flag]);
      assert.equal(problems.length, 1, `${flag} was not rejected`);
      assert.ok(problems[0]?.includes(flag.split('=')[0] as string), problems[0]);
    }
  });
