import { describe, expect, it } from 'vitest';
import { compressionProblem, parseCustomFlags } from '../../src/backup/repositories/repository.rules.js';
import { checkSources, repositoryPath } from '../../src/backup/repositories/repository-path.rules.js';
import { clientSize, humanSize } from '../../src/foundation/kernel/human-size.rules.js';
import { contains } from '../../src/foundation/kernel/paths.rules.js';

describe('humanSize', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1631, '1.6 kB'],
    [264_000_000, '264 MB'],
    [2.5e12, '2.5 TB'],
    [3e18, '3000 PB'],
  ])('%d bytes are %s', (bytes, text) => expect(humanSize(bytes)).toBe(text));
});

describe('clientSize', () => {
  it.each([
    [0, '0.00 B'],
    [1023, '1023.00 B'],
    [1631, '1.59 KB'],
    [1024 ** 2 - 1, '1.00 MB'],
    [2.5 * 1024 ** 4, '2.50 TB'],
    [3000 * 1024 ** 5, '3000.00 PB'],
  ])('%d bytes are %s', (bytes, text) => expect(clientSize(bytes)).toBe(text));
});

describe('compressionProblem', () => {
  it.each([
    ...[
      'none',
      'lz4',
      'zstd',
      'zstd,1',
      'zstd,22',
      'zlib',
      'zlib,0',
      'zlib,9',
      'lzma',
      'lzma,9',
      'auto,lzma,6',
    ],
    ...['obfuscate,6,none', 'obfuscate,123,auto,zstd,10'],
  ])('takes %s', (text) => expect(compressionProblem(text)).toBeNull());
  it.each([
    '',
    'LZ4',
    'lz4,1',
    'none,1',
    'zstd,0',
    'zstd,23',
    'zstd,',
    'zstd,1,2',
    'zlib,10',
    'zlib,-1',
    'lzma,10',
    'auto',
    'auto,',
    'obfuscate,1',
    'obfuscate,7,lz4',
    'obfuscate,124,lz4',
    'toString',
  ])('refuses %j', (text) => expect(compressionProblem(text)?.text).toMatch(/^compression /));
});

describe('parseCustomFlags', () => {
  it.each([
    [null, []],
    ['  ', []],
    ['--a  --b=c', ['--a', '--b=c']],
    [`--exclude 'x y' "it's"`, ['--exclude', 'x y', "it's"]],
    ['$(id) `id` ;', ['$(id)', '`id`', ';']],
  ])('%j', (text, flags) => expect(parseCustomFlags(text)).toEqual(flags));

  it.each([`--a 'b`, `--a "it's`, '--a\n--b', '--a\0'])('refuses %j', (text) =>
    expect(() => parseCustomFlags(text)).toThrow(/custom_flags/),
  );
});

describe('repositoryPath', () => {
  it.each([
    ['/a/b/', '/a/b'],
    ['  /a/./b ', '/a/b'],
    ['b', '/data/b'],
    ['-x', '/data/-x'],
    ['~/b', '/data/~/b'],
    ['host:b', '/data/host:b'],
    ['/{now}/ü', '/{now}/ü'],
    ['/', '/'],
  ])('%j is %j', (text, path) => expect(repositoryPath(text, '/data')).toBe(path));

  it.each([
    '',
    ' ',
    '..',
    'a/../b',
    '/a//b',
    '//a',
    'a\0',
    'a\n',
    'ssh://h/p',
    'sftp://h/p',
    'a::b',
    'a:',
    'a\udcff',
  ])('refuses %j', (text) => expect(() => repositoryPath(text, '/data')).toThrow(/path/));
});

describe('contains', () => {
  it('compares whole parts', () => {
    expect([contains('/a', '/a'), contains('/a', '/a/b'), contains('/', '/a')]).toEqual([true, true, true]);
    expect([contains('/a', '/ab'), contains('/a/b', '/a')]).toEqual([false, false]);
  });
});

describe('checkSources', () => {
  it('takes absolute paths, with spaces and dashes', () => {
    expect(() => checkSources(['/a b', '/-x', '/'])).not.toThrow();
  });
  it.each(['', 'a', './a', '/a/..', '/a\0', '-x'])('refuses %j', (source) =>
    expect(() => checkSources([source])).toThrow(/source_directories/),
  );
});
