import { execFileSync } from 'node:child_process';
import { nameOfBytes } from '@holdfast/plugin-api/driver';
import { describe, expect, test } from 'vitest';
import { planKey } from '../src/adapters/ssh2-remote-host/authorized-keys.js';
import { hostKeyAlgorithms } from '../src/adapters/ssh2-remote-host/host-key.js';
import { parseDf } from '../src/adapters/ssh2-remote-host/parse-df.js';
import { lineFor } from '../src/adapters/ssh2-remote-host/quote.js';

const usage = { total: 1_024_000, used: 204_800, available: 819_200, percentUsed: 20 };
const header = 'Filesystem     1024-blocks  Used Available Capacity Mounted on';

describe('df', () => {
  test.each([
    ['as usual', `${header}\n/dev/sda1 1000 200 800 20% /\n`],
    [
      'a long device name, wrapped',
      `${header}\n/dev/mapper/${'x'.repeat(60)}\n      1000 200 800 20% /mnt\n`,
    ],
    ['spaces and figures in names', `${header}\n//nas/share 1 of 2 1000 200 800 20% /mnt/a 5% b\n`],
    [
      'another language',
      'Dateisystem 1K-Blöcke Benutzt Verfügbar Verw% Eingehängt auf\ntank/x 1000 200 800 20% /t\n',
    ],
    [
      'text before and after it',
      `Welcome, 100% free: / 1 2 3 4 5%\n${header}\n/dev/sda1 1000 200 800 20% /\nBye\n`,
    ],
    ['line ends of another system', `${header}\r\n/dev/sda1 1000 200 800 20% /\r\n`],
  ])('%s', (_, output) => expect(parseDf(output)).toEqual(usage));

  test('treats negative available space as a full disk', () => {
    expect(parseDf('x 1000 1200 -200 100% /')).toMatchObject({ available: 0, percentUsed: 100 });
  });

  test.each([
    '',
    header,
    'rbash: df: command not found',
    'proc 0 0 0 - /proc',
    'none 0 0 0 0% /x',
    '1 2 3% /',
  ])('finds nothing in %j', (output) => expect(parseDf(output)).toBeNull());

  test('parses millions of blanks quickly', () => {
    expect(parseDf(`a${' '.repeat(4_000_000)}x`)).toBeNull();
  });
});

describe('authorized_keys', () => {
  const publicKeyLine = 'ssh-ed25519 AAAAkey holdfast';
  const plan = (content: string | null, restrict?: { path: string; appendOnly: boolean }) =>
    planKey(content, { publicKeyLine, sftp: true, restrict });

  test('gets a separate line', () => {
    expect(plan(null)).toEqual({ append: `${publicKeyLine}\n` });
    expect(plan('other key\n')).toEqual({ append: `${publicKeyLine}\n` });
    expect(plan('other key')).toEqual({ append: `\n${publicKeyLine}\n` });
    expect(plan(`# ${publicKeyLine}\n`)).toEqual({ append: `${publicKeyLine}\n` });
    expect(plan('ssh-ed25519 AAAAkeyAndMore x\n')).toHaveProperty('append');
  });

  test('knows the key with another comment, with options, and without a line end', () => {
    expect(plan('ssh-ed25519 AAAAkey')).toBe('present');
    expect(plan('  from="10.0.0.1",restrict ssh-ed25519   AAAAkey me\r\n')).toBe('present');
  });

  test('quotes a restricted entry for the shell and the file', () => {
    const made = plan(null, { path: `/a b"'$(x)`, appendOnly: true });
    expect(made).toEqual({
      append: `command="borg serve --append-only --restrict-to-path '/a b\\"'\\''$(x)'",restrict ${publicKeyLine}\n`,
    });
    const text = (made as { append: string }).append;
    expect(plan(text, { path: `/a b"'$(x)`, appendOnly: true })).toBe('present');
    expect(plan(text, { path: '/other', appendOnly: true })).toBe('other_rights');
    expect(plan(`${publicKeyLine}\n`, { path: '/a', appendOnly: false })).toBe('other_rights');
  });
});

test('passes every word to a program unchanged', () => {
  const words = [
    '',
    ' ',
    "it's",
    '"',
    '$HOME `id` $(id)',
    'a\nb',
    '\\',
    '*',
    '~',
    '-rf',
    'a=b',
    'ü',
    '!',
    '#',
  ];
  const line = lineFor({}, ['printf', '%s\\0', ...words]);
  const output = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
  expect(output.split('\0').slice(0, -1)).toEqual(words);
  expect(() => lineFor({}, ['a\0b'])).toThrow(/NUL/);
});

test('names keep their bytes', () => {
  expect(nameOfBytes(Buffer.from('grüße 🙂'))).toBe('grüße 🙂');
  expect(nameOfBytes(Buffer.from([0x61, 0xff, 0xc3, 0xbc, 0xe2, 0x82]))).toBe('a\udcffü\udce2\udc82');
});

test('prefers the pinned type of host key and tries all for a fingerprint', () => {
  const base = { host: 'h', port: 22, username: 'u', authentication: { password: 'p' } };
  const [order = []] = hostKeyAlgorithms({ ...base, hostKey: 'ssh-rsa AAAA' });
  expect(order.slice(0, 2)).toEqual(['rsa-sha2-512', 'rsa-sha2-256']);
  expect(order).toContain('ssh-ed25519');
  const expected = hostKeyAlgorithms({ ...base, hostKey: null, expectedFingerprint: 'SHA256:x' });
  expect(expected.at(-1)).toContain('rsa-sha2-512');
  expect(hostKeyAlgorithms({ ...base, hostKey: null })).toHaveLength(1);
});
