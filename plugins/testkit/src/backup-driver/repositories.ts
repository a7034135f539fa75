import assert from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Encryption } from '@holdfast/plugin-api/driver';
import type { ConformanceCase } from '../case.js';
import { archiveInput, rejectsWith } from './expect.js';
import {
  type BackupDriverHarness,
  encryptionsOf,
  passphrase,
  withDriver,
  withRepository,
} from './harness.js';
import { makeSmallTree } from './trees.js';

/** Creating, opening and rejecting repositories, and their keys. */
export function repositoryCases(harness: BackupDriverHarness): ConformanceCase[] {
  const encrypted = encryptionsOf(harness).some((encryption) => encryption !== 'none');
  const keyFiles = encryptionsOf(harness).filter((encryption) => encryption.startsWith('keyfile'));
  return [
    { name: 'version names the tool', run: () => namesTheTool(harness) },
    newRepositoryOpens(harness),
    locationErrors(harness),
    otherRepositoryIsRejected(harness),
    { name: 'a failed init leaves nothing behind', run: () => failedInitLeavesNothing(harness) },
    ...(encrypted ? [wrongPassphraseIsRejected(harness)] : []),
    ...keyFiles.map((encryption) => ({
      name: `${encryption}: the exported key opens the repository, and no other key does`,
      run: () => keyFileRoundTrip(harness, encryption),
    })),
    ...encryptionsOf(harness)
      .filter((encryption) => encryption !== 'none')
      .map((encryption) => ({
        name: `${encryption}: a new passphrase opens the repository, and the old one does not`,
        run: () => passphraseChanges(harness, encryption),
      })),
    forgetKeepsTheRepository(harness),
  ];
}

const namesTheTool = (harness: BackupDriverHarness) =>
  withDriver(harness, async ({ driver }) => {
    const { name, version, line } = await driver.version();
    assert.match(version, /^\d+(\.\d+)*/);
    assert.ok(line.includes(version) && name.length > 0);
  });

const newRepositoryOpens = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'init creates missing parents, and open describes the repository',
    async (scene) => {
      const { driver, folder } = scene;
      const fresh = harness.newTarget(join(folder, 'deep', 'er'));
      const target = { ...fresh, passphrase };
      const encryption = encryptionsOf(harness)[0] as Encryption;
      const made = await driver.init(target, { encryption });
      assert.deepEqual(made.warnings, []);
      target.keyFile = made.value.keyFile;
      const opened = await driver.open(target, {});
      assert.equal(opened.value.id, made.value.id);
      assert.equal(opened.value.encryption, encryption);
      assert.ok(opened.value.storedSize >= 0);
      assert.deepEqual(await driver.listArchives(target, {}), { value: [], warnings: [] });
      const first = await driver.open(scene.target, {});
      assert.notEqual(first.value.id, opened.value.id, 'two repositories share one id');
    },
  );

const locationErrors = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'missing and existing repositories have their own errors',
    async ({ driver, target, folder }) => {
      const encryption = encryptionsOf(harness)[0] as Encryption;
      await rejectsWith(driver.init({ ...target, keyFile: null }, { encryption }), 'repository_exists');
      await driver.open(target, {});
      const missing = { ...target, location: join(folder, 'nowhere') };
      await rejectsWith(driver.open(missing, {}), 'repository_missing');
      await rejectsWith(driver.listArchives(missing, {}), 'repository_missing');
      const other = await makeSmallTree(join(folder, 'other'));
      await rejectsWith(driver.open({ ...target, location: other }, {}), 'not_a_repository');
      await rejectsWith(driver.init({ ...target, location: other }, { encryption }), 'path_not_empty');
      assert.deepEqual(await readdir(other), ['file']);
    },
  );

const otherRepositoryIsRejected = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'a repository other than the expected one is neither changed nor listed',
    async ({ driver, target, folder }) => {
      const source = await makeSmallTree(join(folder, 'source'));
      await driver.createArchive(target, archiveInput([source]));
      const { id, encryption } = (await driver.open(target, {})).value;
      const mistaken = { ...target, expected: { id: id.replace(/./g, 'f'), encryption } };
      const second = archiveInput([source], 'second');
      await rejectsWith(driver.createArchive(mistaken, second), 'other_repository');
      await rejectsWith(driver.deleteArchives(mistaken, { archives: ['first'] }), 'other_repository');
      await rejectsWith(driver.compact(mistaken, {}), 'other_repository');
      await rejectsWith(driver.listArchives(mistaken, {}), 'other_repository');
      const right = { ...target, expected: { id, encryption } };
      const names = (await driver.listArchives(right, {})).value.map(({ name }) => name);
      assert.deepEqual(names, ['first']);
    },
  );

const failedInitLeavesNothing = (harness: BackupDriverHarness) =>
  withDriver(harness, async ({ driver, workFolder }) => {
    const encryption = encryptionsOf(harness)[0] as Encryption;
    const target = {
      ...harness.newTarget(workFolder),
      passphrase,
      location: join(workFolder, 'a', 'b', 'c'),
    };
    const controller = new AbortController();
    const cancelled = driver.init(
      target,
      { encryption },
      { signal: controller.signal, onProcess: () => controller.abort() },
    );
    await rejectsWith(cancelled, 'cancelled');
    assert.ok(!(await readdir(workFolder)).includes('a'), 'folders of the failed init remain');
    await mkdir(target.location, { recursive: true });
    await driver.init(target, { encryption });
    await writeFile(join(workFolder, 'file'), '');
    const below = { ...harness.newTarget(workFolder), passphrase, location: join(workFolder, 'file', 'x') };
    await rejectsWith(driver.init(below, { encryption }), null);
  });

const wrongPassphraseIsRejected = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'a wrong or missing passphrase opens nothing',
    async ({ driver, target, folder }) => {
      const source = await makeSmallTree(join(folder, 'source'));
      await driver.createArchive(target, archiveInput([source]));
      for (const wrong of ['wrong', '', null]) {
        const other = { ...target, passphrase: wrong };
        const error = await rejectsWith(driver.open(other, {}), 'passphrase_wrong');
        assert.ok(!error.message.includes(passphrase));
        if (wrong !== 'wrong') continue;
        await rejectsWith(driver.createArchive(other, archiveInput([source], 'second')), 'passphrase_wrong');
        await rejectsWith(driver.deleteArchives(other, { archives: ['first'] }), 'passphrase_wrong');
      }
    },
  );

async function keyFileRoundTrip(harness: BackupDriverHarness, encryption: Encryption): Promise<void> {
  await withDriver(harness, async ({ driver, workFolder }) => {
    const bare = { ...harness.newTarget(join(workFolder, 'one')), passphrase };
    const { keyFile } = (await driver.init(bare, { encryption })).value;
    assert.ok(keyFile, 'init returned no key');
    const target = { ...bare, keyFile };
    assert.equal((await driver.open(target, {})).value.encryption, encryption);
    await rejectsWith(driver.open(bare, {}), 'key_missing');
    const { text } = (await driver.exportKey(target, {})).value;
    const imported = (await driver.importKey(bare, { text })).value.keyFile;
    await driver.open({ ...bare, keyFile: imported }, {});
    const other = { ...harness.newTarget(join(workFolder, 'two')), passphrase };
    const foreign = (await driver.init(other, { encryption })).value.keyFile as string;
    await rejectsWith(driver.importKey(bare, { text: foreign }), 'usage');
    await rejectsWith(driver.importKey(bare, { text: 'no key at all' }), 'usage');
    for (const lost of [40, 120]) {
      await rejectsWith(driver.importKey(bare, { text: text.slice(0, -lost) }), 'usage');
    }
    await rejectsWith(driver.open({ ...bare, keyFile: foreign }, {}), 'key_missing');
  });
}

async function passphraseChanges(harness: BackupDriverHarness, encryption: Encryption): Promise<void> {
  await withDriver(harness, async ({ driver, workFolder }) => {
    if (!driver.changePassphrase) return;
    const bare = { ...harness.newTarget(join(workFolder, 'one')), passphrase };
    const { id, keyFile } = (await driver.init(bare, { encryption })).value;
    const target = { ...bare, keyFile, expected: { id, encryption } };
    const exported = (await driver.exportKey(target, {})).value.text;
    let current = target;
    for (const next of ['a new "passphrase" ü ', 'another one\nof two lines']) {
      const wrong = { ...current, passphrase: 'wrong' };
      await rejectsWith(driver.changePassphrase(wrong, { passphrase: next }), 'passphrase_wrong');
      await driver.open(current, {});
      const lines: string[] = [];
      const onLog = ({ text }: { text: string }) => void lines.push(text);
      const changed = await driver.changePassphrase(current, { passphrase: next }, { onLog });
      assert.deepEqual(changed.warnings, []);
      assert.ok(!lines.join('\n').includes(next.slice(0, 10)));
      assert.equal(changed.value.keyFile === null, keyFile === null);
      const old = current.passphrase;
      current = { ...current, passphrase: next, keyFile: changed.value.keyFile };
      await driver.open(current, {});
      await rejectsWith(driver.open({ ...current, passphrase: old }, {}), 'passphrase_wrong');
    }
    assert.notEqual((await driver.exportKey(current, {})).value.text, exported);
    if (keyFile !== null) await driver.open({ ...target, keyFile: exported }, {});
  });
}

const forgetKeepsTheRepository = (harness: BackupDriverHarness) =>
  withRepository(
    harness,
    'forget removes only what is stored on this machine',
    async ({ driver, target, folder }) => {
      const source = await makeSmallTree(join(folder, 'source'));
      await driver.createArchive(target, archiveInput([source]));
      await rm(source, { recursive: true });
      await driver.forget(target);
      await driver.forget(target);
      assert.deepEqual(
        (await driver.listArchives(target, {})).value.map(({ name }) => name),
        ['first'],
      );
    },
  );
