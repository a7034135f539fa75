import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../actions.js';
import { KeyFixture } from '../key-fixture.js';
import { systemKey } from '../ssh-actions.js';

let fixture: KeyFixture;

beforeAll(async () => {
  fixture = await KeyFixture.start();
});
afterAll(() => fixture?.server.remove());
afterEach(() => fixture.removeKey());

const kinds: [string, string, string[]][] = [
  ['rsa', 'rsa of 3072 bits', ['-t', 'rsa', '-b', '3072']],
  ['ed25519', 'ed25519', ['-t', 'ed25519']],
  ['ecdsa', 'ecdsa of 256 bits', ['-t', 'ecdsa', '-b', '256']],
  ['ecdsa', 'ecdsa of 384 bits', ['-t', 'ecdsa', '-b', '384']],
  ['ecdsa', 'ecdsa of 521 bits', ['-t', 'ecdsa', '-b', '521']],
];
const formats: [string, string[]][] = [
  ['OpenSSH', []],
  ['PEM', ['-m', 'PEM']],
  ['PKCS8', ['-m', 'PKCS8']],
];
const cases = kinds.flatMap(([type, kind, parameters]) =>
  formats
    // ssh-keygen writes ed25519 in its own format only.
    .filter(([format]) => type !== 'ed25519' || format === 'OpenSSH')
    .map(([format, more]) => ({ type, kind, format, parameters: [...parameters, ...more] })),
);

test.each(cases)('$kind as $format, plain and with a passphrase', async ({ type, parameters }) => {
  const plain = fixture.makeKey('-N', '', ...parameters);
  const answer = await fixture.importKey(plain);
  expect(answer.body).toMatchObject({ success: true, ssh_key: { key_type: type, is_system_key: true } });
  expect(answer.status).toBe(201);
  await fixture.expectKeyAsOf(`${plain}.pub`, type);
  await fixture.api.delete(`/api/ssh-keys/${answer.body.ssh_key.id}`);

  const locked = fixture.makeKey('-N', 'open "sesame"', ...parameters);
  expectRefusal(await fixture.importKey(locked), 400, /passphrase/);
  expectRefusal(await fixture.importKey(locked, { passphrase: 'wrong' }), 400, /passphrase/);
  const opened = await fixture.importKey(locked, { passphrase: 'open "sesame"' });
  expect(opened.status).toBe(201);
  expect(opened.text).not.toMatch(/sesame|PRIVATE KEY/);
  await fixture.expectKeyAsOf(`${locked}.pub`, type);
});

test('imports ed25519 as PKCS8 without a public key', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const answer = await fixture.importKey(fixture.write('pkcs8-ed25519', text));
  expect(answer.status).toBe(201);
  const publicFile = join(fixture.keys, 'pkcs8-ed25519-public');
  writeFileSync(publicFile, `${answer.body.ssh_key.public_key}\n`);
  await fixture.expectKeyAsOf(publicFile, 'ed25519');
});

test('refuses the public key of another pair', async () => {
  const one = fixture.makeKey('-t', 'ed25519', '-N', '');
  const two = fixture.makeKey('-t', 'ed25519', '-N', '');
  expectRefusal(await fixture.importKey(one, { public_key_path: `${two}.pub` }), 400, /public/);
  expect(await systemKey(fixture.api)).toBeNull();
});

test('refuses unusable keys without revealing anything about a file', async () => {
  const good = readFileSync(fixture.makeKey('-t', 'ed25519', '-N', ''), 'utf8');
  const secret = join(fixture.keys, 'of-root');
  writeFileSync(secret, good, { mode: 0o600 });
  const folder = fixture.server.workspace.folder('keys', 'folder');
  const pipe = join(fixture.keys, 'pipe');
  execFileSync('mkfifo', ['-m', '666', pipe]);
  const unreadable = {
    missing: join(fixture.keys, 'no-such-file'),
    folder,
    secret,
    pipe,
    endless: '/dev/zero',
    words: fixture.write('words', 'root:x:0:0\n'),
    empty: fixture.write('empty', ''),
    binary: fixture.write('binary', Buffer.alloc(1000, 0x80)),
    cut: fixture.write('cut', good.slice(0, 200)),
    garbled: fixture.write('garbled', good.replace(/[a-z]{4}/g, 'AAAA')),
    headed: fixture.write(
      'headed',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n',
    ),
    large: fixture.write('large', good + ' '.repeat(5_000_000)),
  };
  const details = new Set<string>();
  for (const [name, file] of Object.entries(unreadable)) {
    const answer = await fixture.importKey(file);
    expect([name, answer.status]).toEqual([name, 400]);
    expectRefusal(answer, 400, /not a readable private key/);
    details.add(answer.body.detail.replaceAll(file, ''));
  }
  expect([...details]).toHaveLength(1);
  expectRefusal(
    await fixture.importKey(fixture.write('public', readFileSync(join(fixture.keys, 'key-1.pub')))),
    400,
    /public key/,
  );
  expectRefusal(await fixture.importKey(fixture.makeKey('-t', 'rsa', '-b', '2048', '-N', '')), 400, /3072/);
  for (const path of ['', 'relative/key', '../key', 'a\0b', 7, null]) {
    expectRefusal(await fixture.importKey(path), 400);
  }
  expect(await systemKey(fixture.api)).toBeNull();
  expect(fixture.inSshFolder()).toEqual([]);
});
