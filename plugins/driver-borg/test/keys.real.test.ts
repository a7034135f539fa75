import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { BackupDriver, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDriver, stopAndRemove } from './make-driver.js';

let folder: string;
let driver: BackupDriver;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
  driver = await makeDriver(join(folder, 'data'));
});
afterAll(() => stopAndRemove(folder));

/** Without the borg that tests use: its keys have no padding. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((each) => !each.includes('.cache/lean'))
  .join(delimiter);
/** Borg as a person runs it. */
const borgWith = (passphrase: string, ...args: string[]) =>
  execFileSync('borg', args, {
    env: { PATH: path, BORG_BASE_DIR: join(folder, 'home'), BORG_PASSPHRASE: passphrase },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
const borg = (...args: string[]) => borgWith('a secret', ...args);
const target = (name: string): RepositoryTarget => ({
  uid: name,
  location: join(folder, name),
  passphrase: 'a secret',
  keyFile: null,
  remoteToolPath: null,
});

test('reads each form of a key that borg exports', async () => {
  const { location } = target('kept');
  borg('init', '-e', 'keyfile', location);
  const plain = borg('key', 'export', location);
  const paper = borg('key', 'export', '--paper', location);
  const forms = [
    plain,
    paper,
    borg('key', 'export', '--qr-html', location),
    paper.toUpperCase().replaceAll('\n', '\r\n'),
  ];
  for (const text of forms) {
    const { keyFile } = (await driver.importKey(target('kept'), { text })).value;
    expect(keyFile).toBe(plain);
    await driver.open({ ...target('kept'), keyFile }, {});
  }
  const [digit = ''] = /(?<= 3: ...)./.exec(paper) ?? [];
  const mistyped = paper.replace(/(?<= 3: ...)./, digit === '0' ? '1' : '0');
  await expect(driver.importKey(target('kept'), { text: mistyped })).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('"3"'),
  });
  borg('init', '-e', 'keyfile', target('other').location);
  await expect(driver.importKey(target('other'), { text: paper })).rejects.toThrow(/another repository/);
});

test('exports nothing but the key when a stranger wrote more into the repository', async () => {
  const { location } = target('gift');
  borg('init', '-e', 'repokey', location);
  const { text } = (await driver.exportKey(target('gift'), {})).value;
  const config = join(location, 'config');
  expect((await readFile(config, 'utf8')).trimEnd()).toMatch(/=$/);
  await appendFile(config, `\tEND\n\ttouch ${folder}/canary\n\tcat <<'END'\n`);
  expect((await driver.exportKey(target('gift'), {})).value.text).toBe(text);
  await appendFile(config, `\t${'A'.repeat(70)}\n`.repeat(5_000));
  await expect(driver.exportKey(target('gift'), {})).rejects.toThrow(/not from Borg/);
});

test.each([
  ['several lines', `${'x'.repeat(76)}\n`.repeat(18).concat('end')],
  ['empty lines and blanks at the end', ' a\n\n\tb \n\n'],
  ['line ends of Windows', 'one\r\ntwo\r'],
  ['only blanks', '   '],
])('opens with a passphrase of %s', async (name, passphrase) => {
  const there = { ...target(name.replaceAll(' ', '-')), passphrase };
  borgWith(passphrase, 'init', '-e', 'repokey', there.location);
  await driver.open(there, {});
  const wrong = { ...there, passphrase: `${passphrase}x` };
  await expect(driver.open(wrong, {})).rejects.toMatchObject({ kind: 'passphrase_wrong' });
});
