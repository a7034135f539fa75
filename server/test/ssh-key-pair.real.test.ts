import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sshKeyTypes } from '@holdfast/core/server';
import { default as ssh2 } from 'ssh2';
import { afterAll, describe, expect, test } from 'vitest';
import { toOpenSsh } from '../src/adapters/openssh-format.js';
import { keyTool } from '../src/adapters/ssh-key-pair.js';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const comment = 'holdfast';
const read = (text: string, passphrase?: string) => keyTool.read(text, { passphrase, comment });
const keygen = (...words: string[]) => execFileSync('ssh-keygen', words, { encoding: 'utf8' });

function keyFile(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}

/** The export of a key can stop forever while it is the made one: see the function of this name in the source. */
const readAgain = (made: KeyObject) => createPrivateKey(made.export({ format: 'pem', type: 'pkcs8' }));

describe.each(sshKeyTypes)('a generated key of type %s', (type) => {
  test('is the same one to ssh-keygen', async () => {
    const pair = await keyTool.generate(type, comment);
    const file = keyFile(`made-${type}`, pair.privateKey);
    expect(keygen('-y', '-P', '', '-f', file).trim()).toBe(pair.publicKey);
    expect(keygen('-lf', file).split(' ')[1]).toBe(pair.fingerprint);
    expect(read(pair.privateKey)).toMatchObject({ type, fingerprint: pair.fingerprint });
    expect(keyTool.readPublic(`${pair.publicKey}\n`)).toMatchObject({ type, fingerprint: pair.fingerprint });
  });
});

test('numbers that begin with zero bytes are written as OpenSSH wants them', () => {
  // Each such start has a chance of 1 in 256: with 1500 keys both are met.
  for (let n = 0; n < 1500; n += 1) {
    const made =
      n % 2 === 0 ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const privateKey = readAgain(made.privateKey);
    const written = toOpenSsh(privateKey, comment);
    const parsed = ssh2.utils.parseKey(written?.privateKey ?? '');
    if (parsed instanceof Error) throw parsed;
    expect(parsed.getPublicSSH().equals(written?.blob as Buffer)).toBe(true);
    const again = createPrivateKey(parsed.getPrivatePEM());
    expect(again.equals(privateKey)).toBe(true);
  }
});

test('reports the reason for each unusable private key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const openSsh = toOpenSsh(readAgain(privateKey), comment);
  const line = `ssh-ed25519 ${openSsh?.blob.toString('base64')} me`;
  const locked = privateKey.export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'secret',
  }) as string;
  expect(read('')).toEqual({ problem: 'unreadable' });
  expect(read('root:x:0:0\n')).toEqual({ problem: 'unreadable' });
  expect(read(pem.replace(/[A-Za-z]{8}/, 'AAAAAAAA'))).toHaveProperty('problem');
  expect(read(openSsh?.privateKey.slice(0, 200) ?? '')).toEqual({ problem: 'unreadable' });
  expect(read(line)).toEqual({ problem: 'public_key' });
  expect(read(publicKey.export({ type: 'spki', format: 'pem' }) as string)).toEqual({
    problem: 'public_key',
  });
  expect(read(locked)).toEqual({ problem: 'passphrase_needed' });
  expect(read(locked, '')).toEqual({ problem: 'passphrase_needed' });
  expect(read(locked, 'wrong')).toEqual({ problem: 'passphrase_wrong' });
  expect(read(locked, 'secret')).toMatchObject({ type: 'ed25519' });
  expect(read(pem.replaceAll('\n', '\r\n'))).toMatchObject({ type: 'ed25519' });
  const other = (pair: { privateKey: { export: typeof privateKey.export } }) =>
    read(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  expect(other(generateKeyPairSync('rsa', { modulusLength: 2048 }))).toEqual({ problem: 'key_weak' });
  expect(other(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }))).toEqual({ problem: 'type' });
  expect(other(generateKeyPairSync('ed448'))).toEqual({ problem: 'type' });
});

test('reads a key file only if it is a regular file of reasonable size', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(await keyTool.readKeyFile(keyFile('small', 'text'))).toBe('text');
  expect(await keyTool.readKeyFile(keyFile('large', 'x'.repeat(65_537)))).toBeNull();
  for (const path of [pipe, folder, '/dev/zero', join(folder, 'missing')]) {
    expect(await keyTool.readKeyFile(path)).toBeNull();
  }
});
