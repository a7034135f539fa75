import { describe, expect, test } from 'vitest';
import { movedLocation, pathOf, remoteLocation } from '../../src/backup/ssh/remote-location.rules.js';

const place = { host: 'box.example.org', port: 2222, username: 'me', ssh_path_prefix: null };
const at = (path: string) => `ssh://me@box.example.org:2222${path}`;

describe('remoteLocation', () => {
  test.each([
    ['/backups/home', '/backups/home'],
    ['backups/home/', '/backups/home'],
    ['///backups', '/backups'],
    [' /a b/c ', '/a b/c'],
    ['/a/./b', '/a/b'],
    ['./backups', '/./backups'],
    ['~/backups/x', '/./backups/x'],
    ['/./backups', '/./backups'],
    ['ssh://other@elsewhere:1/backups/x', '/backups/x'],
    ["/-it's $(id) `x`; *", "/-it's $(id) `x`; *"],
  ])('%s', (text, path) => {
    expect(remoteLocation(place, text)).toBe(at(path));
  });

  test.each([
    '',
    '/',
    './',
    'ssh://me@box.example.org:2222',
    'ssh://me@box.example.org:2222/',
    '/a/../b',
    '/a//b',
    '/a::b',
    '/a:',
    '/a\nb',
    '/a\0b',
    '/\udcff',
    `/${'x'.repeat(256)}`,
  ])('refuses %j', (text) => {
    expect(() => remoteLocation(place, text)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  test.each([
    ['/backups', '/volume1/backups'],
    ['/volume1/backups', '/volume1/backups'],
    ['/volume10/backups', '/volume1/volume10/backups'],
    ['./backups', '/./backups'],
  ])('puts the prefix before %s once', (text, path) => {
    expect(remoteLocation({ ...place, ssh_path_prefix: '/volume1' }, text)).toBe(at(path));
  });

  test('brackets an IPv6 address', () => {
    expect(remoteLocation({ ...place, host: 'fe80::1' }, '/r')).toBe('ssh://me@[fe80::1]:2222/r');
    expect(pathOf('ssh://me@[fe80::1]:2222/r')).toBe('/r');
  });
});

test('moves repositories along with their connection', () => {
  const moved = { ...place, host: '::1', port: 22 };
  expect(movedLocation(moved, at('/./a b'))).toBe('ssh://me@[::1]:22/./a b');
});
