import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackupDriver, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDriver, stopAndRemove } from './make-driver.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
  await mkdir(join(folder, 'source'));
  await writeFile(join(folder, 'source', 'file'), 'content');
});
afterEach(() => stopAndRemove(folder));

const place = () => join(folder, 'repository');
const bare = (uid: string): RepositoryTarget => ({
  uid,
  location: place(),
  passphrase: 'a secret',
  keyFile: null,
  remoteToolPath: null,
});

/** A new repository, and itself as a registered one. */
async function registered(driver: BackupDriver): Promise<RepositoryTarget> {
  const { value } = await driver.init(bare('one'), { encryption: 'repokey' });
  return { ...bare('one'), expected: { id: value.id, encryption: 'repokey' } };
}

const create = (driver: BackupDriver, target: RepositoryTarget, name: string) =>
  driver.createArchive(target, {
    name,
    comment: '',
    sources: [join(folder, 'source')],
    excludePatterns: [],
    compression: 'lz4',
    customFlags: [],
  });

const namesIn = async (driver: BackupDriver, target: RepositoryTarget) =>
  (await driver.listArchives(target, {})).value.map(({ name }) => name);

const unsignedIn = async (driver: BackupDriver, target: RepositoryTarget) =>
  (await driver.listArchives(target, {})).value
    .filter(({ signature }) => signature === 'none')
    .map(({ name }) => name);

/** Resolves to the names of those that were signed. */
async function sign(driver: BackupDriver, target: RepositoryTarget, archives: string[]): Promise<string[]> {
  const signed: string[] = [];
  const done = await driver.signArchives?.(target, { archives, onSigned: (name) => signed.push(name) });
  expect(done?.warnings).toEqual([]);
  return signed;
}

/** Plain borg, as a person uses it. */
const borgOf =
  (binary: string) =>
  (...words: string[]) =>
    execFileSync(binary, words, {
      env: { PATH: process.env.PATH, BORG_BASE_DIR: folder, BORG_PASSPHRASE: 'a secret', LANG: 'C.UTF-8' },
      stdio: 'pipe',
    });
const borg = borgOf('borg');

/** What an archive holds. */
const contentOf = (name: string): string =>
  `${borg('list', '--format={path} {mode} {size} {mtime} {sha256}{NL}', `${place()}::${name}`)}`;

/** As a pull by tar made them in 0.1.0. */
function pullAsBefore(name: string): void {
  const unfinished = `${place()}::${name.replace(/[{}]/g, '$&$&')}.checkpoint`;
  const tar = execFileSync('tar', ['-c', '-C', folder, 'source']);
  const env = { PATH: process.env.PATH, BORG_BASE_DIR: folder, BORG_PASSPHRASE: 'a secret', LANG: 'C.UTF-8' };
  execFileSync('borg', ['import-tar', '--comment=pulled', unfinished, '-'], {
    input: tar,
    env,
    stdio: 'pipe',
  });
  borg('rename', unfinished, name.replace(/[{}]/g, '$&$&'));
}

describe('a repository that was put back', () => {
  test('is recognized as an older state, with both times, until its records are forgotten', async () => {
    const driver = await makeDriver(join(folder, 'data'));
    const target = await registered(driver);
    await create(driver, target, 'kept');
    await cp(place(), join(folder, 'copy'), { recursive: true });
    await create(driver, target, 'lost');
    await rm(place(), { recursive: true });
    await cp(join(folder, 'copy'), place(), { recursive: true });
    const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC';
    await expect(driver.listArchives(target, {})).rejects.toMatchObject({
      kind: 'older_state',
      message: expect.stringMatching(new RegExp(`last change was seen as of ${time}, now it is of ${time}`)),
    });
    expect(await readdir(join(folder, 'data', 'one'))).not.toContain('other-records');
    await driver.forget(target);
    expect(await namesIn(driver, target)).toEqual(['kept']);
  }, 300_000);
});

describe('a repair', () => {
  test('names the archives that it would delete, and deletes none before', async () => {
    const driver = await makeDriver(join(folder, 'data'));
    const target = await registered(driver);
    for (const name of ['whole', 'gone']) await create(driver, target, name);
    const { value } = await driver.archiveInfo(target, { archive: 'gone' });
    borg('debug', 'delete-obj', place(), value.id);
    await driver.forget(target);
    const refused = { kind: 'damaged', options: { wouldDelete: ['gone'] } };
    await expect(driver.check?.(target, {})).rejects.toMatchObject(refused);
    await expect(driver.check?.(target, { repair: true })).rejects.toMatchObject(refused);
    await expect(driver.check?.(target, {})).rejects.toMatchObject(refused);
    await driver.check?.(target, { repair: true, mayDelete: ['gone'] });
    expect(await namesIn(driver, target)).toEqual(['whole']);
  }, 300_000);
});

// The long lane builds one and names it. The borg on PATH is to be one before 1.2.5.
const newer = process.env.HOLDFAST_BORG_14;

if (newer)
  describe('archives that borg before 1.2.5 renamed', () => {
    test('are named, survive a repair that is refused, and open once they are signed', async () => {
      const driver = await makeDriver(join(folder, 'data'), newer);
      const target = await registered(driver);
      await create(driver, target, 'whole');
      borg('create', `${place()}::a`, join(folder, 'source'));
      borg('rename', `${place()}::a`, 'kept: since 2019');
      const unsigned = { kind: 'archive_unsigned' };
      await expect(namesIn(driver, target)).rejects.toMatchObject(unsigned);
      const looked = await driver.look?.(bare('new'), {});
      expect(looked?.value.archives).toHaveLength(2);
      const named = { ...unsigned, options: { archives: ['kept: since 2019'] } };
      await expect(driver.check?.(target, {})).rejects.toMatchObject(named);
      await expect(driver.check?.(target, { repair: true })).rejects.toMatchObject(named);
      expect(await sign(driver, target, [])).toEqual(['kept: since 2019']);
      expect(await namesIn(driver, target)).toEqual(['whole', 'kept: since 2019']);
      await driver.check?.(target, { verifyData: true });
      const older = await makeDriver(join(folder, 'older'));
      expect(await namesIn(older, bare('two'))).toEqual(['whole', 'kept: since 2019']);
      // What is signed stays as it is, whatever its command line names.
      expect(await unsignedIn(driver, target)).toEqual([]);
    }, 300_000);
  });

describe('archives that this borg renamed', () => {
  test('are signed with their times, comments, users, chunks and settings, also when append-only', async () => {
    const driver = await makeDriver(join(folder, 'data'));
    const target = await registered(driver);
    borg(
      'create',
      '--comment={{a}}',
      '--chunker-params=10,23,16,4095',
      `${place()}::x`,
      join(folder, 'source'),
    );
    borg('rename', `${place()}::x`, 'kept');
    borg('config', place(), 'append_only', '1');
    const info = async () => (await driver.archiveInfo(target, { archive: 'kept' })).value;
    const { id: _, stats: __, maxArchiveSizeUsed: ___, ...before } = await info();
    const objects = (text: string) => Number(/^Chunk index: +(\d+)/m.exec(text)?.[1]);
    const chunks = objects(`${borg('info', place())}`);
    expect(await sign(driver, target, ['kept'])).toEqual(['kept']);
    expect(await info()).toMatchObject(before);
    expect(objects(`${borg('info', place())}`)).toBe(chunks);
    expect(`${borg('check', '--verify-data', place())}`).toBe('');
  }, 300_000);

  test('stay complete after each interrupted step of a signing that can continue', async () => {
    const driver = await makeDriver(join(folder, 'data'));
    const target = await registered(driver);
    pullAsBefore('a');
    await create(driver, target, 'whole');
    expect(await unsignedIn(driver, target)).toEqual(['a']);
    borg('delete', `${place()}::whole`);
    const before = contentOf('a');
    const seen: string[][] = [];
    for (let signed = false; !signed && seen.length < 5; ) {
      // It lists the archives, looks at one, and makes one change.
      let begun = 0;
      const onProcess = () => {
        if (++begun > 3) throw new Error('cut off');
      };
      const input = { archives: ['a'], onSigned: () => (signed = true) };
      await driver.signArchives?.(target, input, { onProcess }).catch(() => {});
      const there = `${borg('list', '--short', place())}`.trim().split('\n');
      seen.push(there.map((name) => name.replace(/[0-9a-f]{12}$/, '…')));
      for (const name of there) expect(contentOf(name)).toBe(before);
    }
    expect(seen).toEqual([['a', 'a.signing-…'], ['a.signing-…'], ['a', 'a.signing-…'], ['a']]);
    if (newer) borgOf(newer)('extract', '--dry-run', `${place()}::a`);
  }, 300_000);

  test('keep the copy if another archive took the name', async () => {
    const driver = await makeDriver(join(folder, 'data'));
    const target = await registered(driver);
    borg('create', `${place()}::a.signing-0123456789ab`, join(folder, 'source'));
    borg('create', '--comment=another', `${place()}::a`, join(folder, 'source'));
    const { warnings = [] } = (await driver.signArchives?.(target, { archives: [], onSigned() {} })) ?? {};
    expect(warnings).toEqual([expect.stringContaining('a.signing-0123456789ab')]);
    expect(await namesIn(driver, target)).toHaveLength(2);
  }, 300_000);
});

test('report an append-only repository in a compact and refuse its repair', async () => {
  const driver = await makeDriver(join(folder, 'data'));
  const target = await registered(driver);
  await create(driver, target, 'a');
  expect((await driver.compact(target, {})).value).toMatchObject({ appendOnly: false });
  borg('config', place(), 'append_only', '1');
  expect((await driver.compact(target, {})).value).toEqual({ freedBytes: null, appendOnly: true });
  await expect(driver.check?.(target, { repair: true })).rejects.toMatchObject({ kind: 'append_only' });
}, 300_000);
