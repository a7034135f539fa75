import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstat, mkdir, open, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchiveEntry, bytesOfName, nameOfBytes } from '@holdfast/plugin-api/driver';
import { type ConformanceCase, offered } from '../case.js';
import { allEntries, archiveInput, bytesOf, rejectsWith } from './expect.js';
import { type BackupDriverHarness, type Scene, withRepository } from './harness.js';
import { type ExpectedFile, makeOddTree, notUtf8Name } from './trees.js';

/** What was stored can be read back: entries, names and bytes. */
export function contentCases(harness: BackupDriverHarness): ConformanceCase[] {
  return [
    entriesAreComplete(harness),
    contentIsReadBack(harness),
    treeIsExtracted(harness),
    treeIsExported(harness),
    damageIsNotDelivered(harness),
    damageIsFound(harness),
  ];
}

async function storeOddTree({ driver, target, folder }: Scene) {
  const tree = join(folder, 'tree');
  const files = await makeOddTree(tree);
  const { warnings } = await driver.createArchive(target, archiveInput([tree]));
  assert.deepEqual(warnings, []);
  const entries = await allEntries({ driver, target, archive: 'first' });
  const prefix = `${tree.slice(1)}/`;
  const byName = new Map(entries.map((entry) => [entry.path.replace(prefix, ''), entry]));
  return { tree, files, byName, prefix };
}

const entriesAreComplete = (harness: BackupDriverHarness) =>
  withRepository(harness, 'every kind of entry and name is listed', async (scene) => {
    const { tree, files, byName, prefix } = await storeOddTree(scene);
    const others = ['sub', 'sub/empty', 'good-link', 'dangling-link', prefix.slice(0, -1)];
    const names = [...files.map(({ name }) => name), ...others];
    assert.deepEqual([...byName.keys()].toSorted(), names.toSorted());
    for (const file of files) assertFile(byName, file);
    const { mtimeMs } = await lstat(join(tree, 'plain'));
    const plain = byName.get('plain') as ArchiveEntry;
    assert.ok(Math.abs(plain.mtime - mtimeMs) < 1, `${plain.mtime} instead of ${mtimeMs}`);
    assert.match(plain.mode, /^-rw/);
    const kinds = ['sub', 'sub/empty', 'good-link'].map((name) => byName.get(name)?.type);
    assert.deepEqual(kinds, ['directory', 'directory', 'symlink']);
    assert.equal(byName.get('dangling-link')?.symlinkTarget, 'no/such/ü');
    assertHardLinks(byName, prefix, ['hard-1', 'hard-2']);
    assertHardLinks(byName, prefix, [notUtf8Name, `${notUtf8Name}\udcfc`]);
  });

function assertFile(byName: Map<string, ArchiveEntry>, { name, content }: ExpectedFile): void {
  const entry = byName.get(name) as ArchiveEntry;
  assert.equal(entry.type, 'file', name);
  assert.ok(entry.healthy, name);
  assert.equal(entry.symlinkTarget, null, name);
  assert.equal(entry.size, entry.hardLinkTarget === null ? content.length : 0, name);
}

/** One of the two is the first name, and the other one points to it. */
function assertHardLinks(byName: Map<string, ArchiveEntry>, prefix: string, names: string[]): void {
  const targets = names.map((name) => byName.get(name)?.hardLinkTarget ?? null);
  const first = names[targets.indexOf(null)];
  assert.deepEqual(
    targets.filter((target) => target !== null),
    [`${prefix}${first}`],
  );
}

const contentIsReadBack = (harness: BackupDriverHarness) =>
  withRepository(harness, 'the content of every name is read back byte by byte', async (scene) => {
    const { driver, target } = scene;
    const { files, byName } = await storeOddTree(scene);
    const read = async ({ name, content }: ExpectedFile) => {
      const entry = byName.get(name) as ArchiveEntry;
      const path = entry.hardLinkTarget ?? entry.path;
      const bytes = await bytesOf(driver.readFile(target, { archive: 'first', path }));
      assert.ok(
        bytes.equals(content),
        `${JSON.stringify(name)} came back as ${bytes.length} different bytes`,
      );
    };
    for (let from = 0; from < files.length; from += 3)
      await Promise.all(files.slice(from, from + 3).map(read));
  });

const treeIsExtracted = (harness: BackupDriverHarness) =>
  withRepository(harness, 'extract restores every file, or only the chosen ones', async (scene) => {
    const { driver, target, folder } = scene;
    const extract = offered(driver.extract, 'extract').bind(driver);
    const { files, prefix } = await storeOddTree(scene);
    const [all, some] = [join(folder, 'all'), join(folder, 'some')];
    await mkdir(all);
    await mkdir(some);
    const whole = await extract(target, { archive: 'first', paths: [], folder: all });
    assert.deepEqual(whole.warnings, []);
    const at = (root: string, name: string) => bytesOfName(`${root}/${prefix}${name}`);
    for (const { name, content } of files) {
      const bytes = await readFile(at(all, name));
      assert.ok(
        bytes.equals(content),
        `${JSON.stringify(name)} came back as ${bytes.length} different bytes`,
      );
    }
    await assertLinks(all, prefix);
    const chosen = ['sub', 'plain', 'hard-2', notUtf8Name];
    const paths = chosen.map((name) => `${prefix}${name}`);
    await extract(target, { archive: 'first', paths, folder: some });
    const found = await readdir(at(some, ''), { encoding: 'buffer' });
    assert.deepEqual(found.map(nameOfBytes).toSorted(), chosen.toSorted());
    assert.equal(await readFile(at(some, 'hard-2'), 'utf8'), 'two names');
    const compared = join(folder, 'compared');
    await mkdir(compared);
    const named = files.map(({ name }) => `${prefix}${name}`);
    await extract(target, { archive: 'first', paths: named, folder: compared, exact: true });
    for (const { name, content } of files)
      assert.ok(
        (await readFile(at(compared, name))).equals(content),
        `${JSON.stringify(name)} by its exact path`,
      );
    const none = { archive: 'first', paths: [`${prefix}none`], folder: some };
    await rejectsWith(extract(target, none), 'path_missing');
    await rejectsWith(extract(target, { archive: 'none', paths: [], folder: some }), 'archive_missing');
  });

const treeIsExported = (harness: BackupDriverHarness) =>
  withRepository(harness, 'exportTar streams every file, or only the chosen ones', async (scene) => {
    const { driver, target, folder } = scene;
    const exportTar = offered(driver.exportTar, 'exportTar').bind(driver);
    const { files, prefix } = await storeOddTree(scene);
    const unpacked = async (name: string, paths: string[]) => {
      const into = join(folder, name);
      await mkdir(into);
      const tar = await bytesOf(exportTar(target, { archive: 'first', paths }));
      execFileSync('tar', ['-x', '-f', '-', '-C', into], { input: tar });
      return into;
    };
    const all = await unpacked('all', []);
    const at = (root: string, name: string) => bytesOfName(`${root}/${prefix}${name}`);
    for (const { name, content } of files)
      assert.ok(
        (await readFile(at(all, name))).equals(content),
        `${JSON.stringify(name)} came back different`,
      );
    await assertLinks(all, prefix);
    const chosen = ['sub', 'plain', 'hard-2', notUtf8Name];
    const some = await unpacked(
      'some',
      chosen.map((name) => `${prefix}${name}`),
    );
    const found = await readdir(at(some, ''), { encoding: 'buffer' });
    assert.deepEqual(found.map(nameOfBytes).toSorted(), chosen.toSorted());
    assert.equal(await readFile(at(some, 'hard-2'), 'utf8'), 'two names');
    const none = { archive: 'first', paths: [`${prefix}none`] };
    await rejectsWith(bytesOf(exportTar(target, none)), 'path_missing');
    await rejectsWith(bytesOf(exportTar(target, { archive: 'none', paths: [] })), 'archive_missing');
  });

/** Symlinks are links again, whatever their target, and names of one file are still names of one file. */
async function assertLinks(root: string, prefix: string): Promise<void> {
  const at = (name: string) => join(root, prefix, name);
  assert.equal(await readlink(at('good-link')), 'plain');
  assert.equal(await readlink(at('dangling-link')), 'no/such/ü');
  const [one, other] = await Promise.all([lstat(at('hard-1')), lstat(at('hard-2'))]);
  assert.equal(one.ino, other.ino, 'hard-1 and hard-2 must be one file');
}

const damageIsNotDelivered = (harness: BackupDriverHarness) =>
  withRepository(harness, 'damaged content is an error of the stream', async (scene) => {
    const { driver, target } = scene;
    const { source, noise } = await storeDamaged(scene);
    const read = bytesOf(driver.readFile(target, { archive: 'first', path: source.slice(1) }));
    const error = await rejectsWith(read, null);
    assert.ok(['damaged', 'failed'].includes(error.kind), `${error.kind} of ${noise} bytes`);
  });

const damageIsFound = (harness: BackupDriverHarness) =>
  withRepository(harness, 'damaged content is found by check', async (scene) => {
    const { driver, target } = scene;
    const check = offered(driver.check, 'check').bind(driver);
    await storeDamaged(scene);
    const lines: string[] = [];
    const onLog = ({ text }: { text: string }) => lines.push(text);
    await rejectsWith(check(target, { verifyData: true }, { onLog }), 'damaged');
    assert.notEqual(lines.length, 0, 'the check must log what it found');
  });

async function storeDamaged({ driver, target, folder }: Scene): Promise<{ source: string; noise: number }> {
  const source = join(folder, 'noise');
  const noise = await writeNoise(source);
  await driver.createArchive(target, archiveInput([source]));
  await flipByteInLargestFile(target.location);
  return { source, noise };
}

async function writeNoise(path: string): Promise<number> {
  const size = 2 * 1024 * 1024;
  const file = await open(path, 'w');
  await file.write(crypto.getRandomValues(new Uint8Array(65_536)), 0, 65_536, size - 65_536);
  for (let at = 0; at < size; at += 65_536)
    await file.write(crypto.getRandomValues(new Uint8Array(65_536)), 0, 65_536, at);
  await file.close();
  return size;
}

async function flipByteInLargestFile(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), facts: await stat(join(folder, name)) })),
  );
  const largest = sizes
    .filter(({ facts }) => facts.isFile())
    .toSorted((a, b) => b.facts.size - a.facts.size)[0];
  if (largest === undefined) throw new Error('the repository contains no file');
  const file = await open(largest.path, 'r+');
  const byte = new Uint8Array(1);
  const middle = Math.floor(largest.facts.size / 2);
  await file.read(byte, 0, 1, middle);
  byte[0] = (byte[0] as number) ^ 0xff;
  await file.write(byte, 0, 1, middle);
  await file.close();
}
