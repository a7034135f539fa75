import { describe, expect, test } from 'vitest';
import { errorOf, sentence, warningsOf } from '../src/errors.js';
import { outcomeOf } from '../src/exit-codes.js';
import { ToolLog } from '../src/parse/tool-log.js';
import type { ToolExit } from '../src/process.js';

function exitOf(lines: (object | string)[], rest: Partial<ToolExit> = {}): ToolExit {
  const log = new ToolLog({});
  for (const line of lines) log.push(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  log.end();
  return { code: 2, signal: null, stopped: false, spawnError: null, log, ...rest };
}

const error = (message: string, msgid?: string) => ({
  type: 'log_message',
  levelname: 'ERROR',
  name: 'borg.archiver',
  message,
  msgid,
});
const warning = (message: string) => ({ type: 'log_message', levelname: 'WARNING', name: 'borg', message });

const traceback = (last: string) =>
  `Traceback (most recent call last):\n  File "archiver.py", line 5\n    x\n${last}\n\nPlatform: Linux`;

const frame = (file: string) => `  File "/usr/lib/python3/dist-packages/borg/${file}", line 5, in x`;
const noSpaceIn = (...files: string[]) => [
  error('Local Exception', 'Exception'),
  error(
    `Traceback (most recent call last):\n${files.map(frame).join('\n')}\nOSError: [Errno 28] No space left on device`,
  ),
];

test.each([
  ['data folder', noSpaceIn('archiver.py', 'cache.py', 'crypto/file_integrity.py')],
  ['data folder', noSpaceIn('archiver.py', 'repository.py', 'archiver.py', 'cache.py')],
  ['disk of the repository', noSpaceIn('archiver.py', 'cache.py', 'repository.py', 'platform/base.py')],
])('names the %s when that disk is full', (disk, lines) => {
  expect(errorOf(exitOf(lines))).toMatchObject({
    kind: 'no_space',
    message: expect.stringContaining(disk),
  });
});

describe('errorOf', () => {
  test.each([
    ['passphrase_wrong', [error('passphrase supplied in … is incorrect.', 'PassphraseWrong')], 2],
    ['repository_missing', [error('Repository /r does not exist.', 'Repository.DoesNotExist')], 2],
    ['archive_exists', [error('Archive a already exists', 'Archive.AlreadyExists')], 2],
    ['locked', [error('Failed to create/acquire the lock /r/lock (timeout).', 'LockTimeout')], 2],
    [
      'permission',
      [error("Failed to create/acquire the lock /r ([Errno 13] Permission denied: '/r').", 'LockFailed')],
      2,
    ],
    ['permission', [error("[Errno 30] Read-only file system: '/r'", 'LockFailed')], 2],
    [
      'no_space',
      [error('Local Exception', 'Exception'), error(traceback('OSError: [Errno 28] No space left'))],
      2,
    ],
    ['no_space', [error('Insufficient free space', 'Repository.InsufficientFreeSpaceError')], 2],
    ['quota', [error("[Errno 69] Disc quota exceeded: '/r/lock.exclusive.tmp'", 'LockFailed')], 2],
    ['quota', [error('Remote Exception'), error(traceback('OSError: [Errno 122] Disk quota exceeded'))], 2],
    ['repository_quota', [error('The storage quota (5 GB) has been exceeded', 'StorageQuotaExceeded')], 2],
    ['older_state', [error('Cache, or information … is newer', 'Cache.RepositoryReplay')], 2],
    ['archive_unsigned', [error('Data integrity error: Archive authentication …', 'ArchiveTAMInvalid')], 2],
    ['append_only', [error('Local Exception'), error(traceback('ValueError: /r is in append-only mode'))], 2],
    ['failed', [error('Manifest is unauthenticated', 'TAMRequiredError')], 2],
    ['damaged', [error('Data integrity error: Segment entry', 'IntegrityError')], 2],
    [
      'connection',
      [
        error('Remote: me@x: Permission denied (publickey).'),
        error('Connection closed', 'ConnectionClosedWithHint'),
      ],
      2,
    ],
    ['key_missing', [error('No key file', 'KeyfileNotFoundError')], 42],
    ['usage', ['usage: borg create [-h]', 'borg create: error: argument -C'], 2],
    ['locked', [], 73],
    ['failed', [error('Something new', 'SomethingNew')], 2],
  ])('%s', (kind, lines, code) => {
    expect(errorOf(exitOf(lines, { code })).kind).toBe(kind);
  });

  test('treats a run that Holdfast ended as cancelled despite its output', () => {
    expect(errorOf(exitOf([error('x', 'IntegrityError')], { stopped: true, code: 143 })).kind).toBe(
      'cancelled',
    );
  });

  test('reports a signal from outside', () => {
    const { kind, message } = errorOf(exitOf([], { code: null, signal: 'SIGKILL' }));
    expect([kind, message]).toEqual(['failed', 'Borg was killed from outside (SIGKILL).']);
  });

  test('reports the failure without internals of the tool', () => {
    const lines = [error('Local Exception', 'Exception'), error(traceback('ValueError: odd'))];
    expect(errorOf(exitOf(lines)).message).toBe('ValueError: odd.');
  });

  test('treats a plain-text crash as an error even with exit code 1', () => {
    const exit = exitOf(traceback('re.error: unterminated character set').split('\n'), { code: 1 });
    expect(outcomeOf(exit)).toBe('failed');
    expect(errorOf(exit)).toMatchObject({ kind: 'usage', message: 're.error: unterminated character set.' });
  });

  test.each([
    ['setpriv: failed to execute borg: No such file or directory', /Install Borg/],
    ['gate: 1: exec: /usr/bin/borg: not found', /Install Borg/],
    ['nice: ‘/bin/sh’: No such file or directory', /needs \/bin\/sh/],
  ])('reports a starter that finds no tool: %s', (line, says) => {
    const error = errorOf(exitOf([line], { code: 127 }));
    expect(error).toMatchObject({ kind: 'tool_missing', message: expect.stringMatching(says) });
  });
});

test.each([
  [0, 'ok'],
  [1, 'warnings'],
  [100, 'warnings'],
  [107, 'warnings'],
  [2, 'failed'],
  [73, 'failed'],
  [127, 'failed'],
  [143, 'failed'],
  [null, 'failed'],
])('exit code %s: %s', (code, outcome) => {
  expect(outcomeOf(exitOf([], { code }))).toBe(outcome);
});

test('limits warnings and drops harmless ones', () => {
  const many = Array.from({ length: 60 }, (_, index) => warning(`/f${index}: [Errno 2] No such file`));
  const told = warningsOf(exitOf([warning('Killed stale lock x.'), ...many], { code: 1 }));
  expect(told[0]).toBe('/f0: No such file.');
  expect(told.at(-1)).toBe('11 more warnings are in the log.');
  expect(told).toHaveLength(50);
});

test('names a file system without hard links as the cause of a warning', () => {
  const text =
    'Failed to securely erase old repository config file (hardlinks not supported). ' +
    'Old repokey data, if any, might persist on physical storage.';
  expect(warningsOf(exitOf([warning(text)], { code: 1 }))).toEqual([
    expect.stringMatching(/^The file system of the repository has no hard links, .*CIFS/),
  ]);
});

test.each([
  [
    /replace a file by renaming/,
    [error('Local Exception'), error(traceback("FileExistsError: [Errno 17] 'a' -> 'b'"))],
  ],
  [
    /lacks an operation/,
    [error('Failed to create/acquire the lock /r ([Errno 95] Operation not supported).', 'LockFailed')],
  ],
])('names the file system as the cause of an error: %s', (says, lines) => {
  expect(errorOf(exitOf(lines))).toMatchObject({ kind: 'failed', message: expect.stringMatching(says) });
});

test('sentence makes one line', () => {
  expect(sentence('a\n  b')).toBe('a b.');
});
