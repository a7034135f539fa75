import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSshFiles } from '../src/adapters/ssh-key-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-ssh-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const sshDirectory = () => join(folder, 'ssh');
const dataDirectory = () => join(folder, 'data');
const make = () => makeSshFiles({ sshDirectory: sshDirectory(), dataDirectory: dataDirectory() });
const pair = (type: 'rsa' | 'ed25519', name = 'one') => ({
  type,
  privateKey: `private ${name}\n`,
  publicKey: `public ${name}`,
});
const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8);
const names = () => (existsSync(sshDirectory()) ? readdirSync(sshDirectory()).sort() : []);

test('writes the pair with its modes, and again after loss or wrong modes', async () => {
  const files = make();
  const path = join(sshDirectory(), 'holdfast_ed25519');
  expect(await files.writeKeyPair(pair('ed25519'))).toEqual({ keyFile: path, problem: null });
  expect([mode(sshDirectory()), mode(path), mode(`${path}.pub`)]).toEqual(['700', '600', '644']);
  expect(readFileSync(`${path}.pub`, 'utf8')).toBe('public one\n');
  rmSync(`${path}.pub`);
  chmodSync(path, 0o666);
  chmodSync(sshDirectory(), 0o755);
  await make().writeKeyPair(pair('ed25519'));
  expect([mode(sshDirectory()), mode(path), mode(`${path}.pub`)]).toEqual(['700', '600', '644']);
});

test('replaces its key by another type and finally removes all files', async () => {
  const files = make();
  await files.writeKeyPair(pair('ed25519'));
  await files.writeKeyPair(pair('ed25519', 'two'));
  expect(readFileSync(join(sshDirectory(), 'holdfast_ed25519'), 'utf8')).toBe('private two\n');
  await make().writeKeyPair(pair('rsa'));
  expect(names()).toEqual(['holdfast_rsa', 'holdfast_rsa.pub']);
  await make().removeKeyPairs();
  await make().removeKeyPairs();
  expect(names()).toEqual([]);
});

test.each(['holdfast_rsa', 'holdfast_rsa.pub'])(
  'keeps an unknown %s and writes the key to the data directory',
  async (name) => {
    mkdirSync(sshDirectory());
    writeFileSync(join(sshDirectory(), name), 'of somebody', { mode: 0o640 });
    const { keyFile, problem } = await make().writeKeyPair(pair('rsa'));
    expect(problem).toContain(join(sshDirectory(), name));
    expect(keyFile).toBe(join(dataDirectory(), 'ssh', 'holdfast_rsa'));
    expect([mode(keyFile), mode(join(dataDirectory(), 'ssh'))]).toEqual(['600', '700']);
    await make().removeKeyPairs();
    expect(names()).toEqual([name]);
    expect(readFileSync(join(sshDirectory(), name), 'utf8')).toBe('of somebody');
    expect(mode(join(sshDirectory(), name))).toBe('640');
    expect(existsSync(keyFile)).toBe(false);
  },
);

test('keeps its file after another program changed it', async () => {
  const path = join(sshDirectory(), 'holdfast_rsa');
  await make().writeKeyPair(pair('rsa'));
  writeFileSync(path, 'changed');
  expect((await make().writeKeyPair(pair('rsa', 'two'))).problem).toContain(path);
  await make().removeKeyPairs();
  expect(readFileSync(path, 'utf8')).toBe('changed');
});

test('does not write through a dangling symlink', async () => {
  mkdirSync(sshDirectory());
  const target = join(folder, 'target');
  symlinkSync(target, join(sshDirectory(), 'holdfast_rsa'));
  const { keyFile, problem } = await make().writeKeyPair(pair('rsa'));
  expect(problem).not.toBeNull();
  expect(keyFile).toContain(dataDirectory());
  expect(existsSync(target)).toBe(false);
});

test('writes the key despite a folder that cannot be created', async () => {
  writeFileSync(sshDirectory(), 'a file');
  const { keyFile, problem } = await make().writeKeyPair(pair('rsa'));
  expect(problem).toMatch(/ssh/);
  expect(readFileSync(keyFile, 'utf8')).toBe('private one\n');
});

test('leaves one complete pair after many concurrent writes', async () => {
  const files = make();
  const tries = Array.from({ length: 20 }, (_, n) => files.writeKeyPair(pair('rsa', `${n}`)));
  for (const { problem } of await Promise.all(tries)) expect(problem).toBeNull();
  expect(names()).toEqual(['holdfast_rsa', 'holdfast_rsa.pub']);
  const [secret, open] = names().map((name) => readFileSync(join(sshDirectory(), name), 'utf8'));
  expect(secret?.replace('private', 'public')).toBe(open);
});

test('writes one file of host keys per connection', async () => {
  const files = make();
  const path = await files.writeHostKey({ connectionId: 7, hostKey: 'ssh-ed25519 AAAA' });
  expect(readFileSync(path, 'utf8')).toBe('holdfast-7 ssh-ed25519 AAAA\n');
  await files.writeHostKey({ connectionId: 7, hostKey: 'ssh-ed25519 BBBB' });
  expect(readFileSync(path, 'utf8')).toBe('holdfast-7 ssh-ed25519 BBBB\n');
  expect([mode(path), mode(join(dataDirectory(), 'ssh', 'known-hosts'))]).toEqual(['600', '700']);
  await files.removeHostKey(7);
  await files.removeHostKey(7);
  expect(existsSync(path)).toBe(false);
});
