import { expect, test } from 'vitest';
import { signatureOf } from '../src/parse/signatures.js';

const made = { id: 'i', start: '', hostname: 'vm', username: 'ann' };

test.each([
  [false, 'a', ['borg', 'create', '--exclude=x::y', '/r::a', '/src']],
  [true, 'a', ['borg', 'create', '/r::b', '/src']],
  [true, 'pull', ['borg', 'import-tar', '--comment', 'c', 'ssh://u@h:22/r::pull.checkpoint', '-']],
  [false, 'a.checkpoint.1', ['borg', 'create', '/r::a', '/src']],
  [false, 'vm-ann-2026-11-25_22:01', ['borg', 'create', '::{hostname}-{user}-{now:%Y-%m-%d_%H:%M}', '/src']],
  [true, 'nas-2026-11-25', ['borg', 'create', '/r::{hostname}-{now:%Y-%m-%d}', '/src']],
  [true, 'kept-since-2019', ['borg', 'create', '/r::{now}', '/src']],
  [false, 'x-{y}.*', ['borg', 'create', '/r::{uuid4}-{{y}}.*', '/src']],
  [true, 'x-{y}zz', ['borg', 'create', '/r::{uuid4}-{{y}}.*', '/src']],
  [false, 'a', []],
])('detects a rename by the command line: %s for %s', (isRenamed, name, command_line) => {
  expect(signatureOf({ ...made, name, command_line })).toBe(isRenamed ? 'none' : 'unknown');
});
