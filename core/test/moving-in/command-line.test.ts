import { describe, expect, test } from 'vitest';
import { parseCreate } from '../../src/migration/moving-in/command-line.rules.js';
import { sourcesOf } from '../../src/migration/moving-in/sources-of.rules.js';

const create = (...words: string[]) => ['/usr/bin/borg', 'create', ...words];

describe('a command line', () => {
  test.each([
    [create('/repo::a', '/home', '/etc'), [], ['/home', '/etc']],
    [
      ['borg', '--remote-path', 'borg1', '-v', 'create', '--stats', '--', 'repo::a', '-odd'],
      ['--remote-path=borg1', '-v', '--stats'],
      ['-odd'],
    ],
    [
      create('-sC', 'zstd,3', '-Clz4', '-xe', '*.tmp', 'r::a', '/'),
      ['-s', '-C=zstd,3', '-C=lz4', '-x', '-e=*.tmp'],
      ['/'],
    ],
    [
      create('--compr', 'lz4', '--exclude=a b', '--one-f', 'r::a', '/x'),
      ['--compression=lz4', '--exclude=a b', '--one-file-system'],
      ['/x'],
    ],
    [create('r::a', '/x', '--exclude', '/x/y', '/z'), ['--exclude=/x/y'], ['/x', '/z']],
    [create('--stdin-name', 'dump', 'r::a', '-'), ['--stdin-name=dump'], ['-']],
    [create('--exclude'), null, null],
    [['borg', 'import-tar', 'r::a', 'x.tar'], null, null],
    [[], null, null],
  ])('reads %j', (words, options, paths) => {
    const command = parseCreate(words);
    const shown = command?.options.map(({ name, value }) => (value === null ? name : `${name}=${value}`));
    expect([shown ?? null, command?.paths ?? null]).toEqual([options, paths]);
  });
});

const codes = (words: string[]) => sourcesOf(words).remarks.map(({ code }) => code);

describe('the suggested settings', () => {
  test('include sources, excludes, compression and flags', () => {
    const words = create(
      ...['--exclude-caches', '--keep-tag-files', '--exclude-if-present', '.no backup', '-C', 'zlib,6'],
      ...['-e', '*.tmp', '--exclude', 're:x$', '--pattern', '- home/*/cache', '--stats', '--list'],
      ...['ssh://host/./repo::a', '/home/', '/etc', '/etc'],
    );
    expect(sourcesOf(words)).toEqual({
      sources: ['/home', '/etc'],
      excludes: ['*.tmp', 're:x$', 'sh:home/*/cache'],
      compression: 'zlib,6',
      flags: `--exclude-caches --keep-exclude-tags "--exclude-if-present=.no backup"`,
      confidence: 'high',
      remarks: [],
    });
  });

  test('keep include patterns together and in order', () => {
    const words = create(
      ...['--pattern', 'R /home', '--pattern', '+ home/ann', '-e', '*.o', '--pattern', '- home/*'],
      ...['r::a', '/srv'],
    );
    expect(sourcesOf(words)).toMatchObject({
      sources: ['/home', '/srv'],
      excludes: [],
      flags: '"--pattern=+ sh:home/ann" "--pattern=- fm:*.o" "--pattern=- sh:home/*"',
    });
  });

  test('use the style that a pattern line sets', () => {
    const words = create('--pattern', 'P fm', '--pattern', '- *.o', 'r::a', '/srv');
    expect(sourcesOf(words).excludes).toEqual(['*.o']);
  });

  test('report options that cannot be imported', () => {
    expect(codes(create('r::a', 'home/ann', '/etc'))).toEqual(['suggestion_relative_source']);
    expect(codes(create('r::a', '-'))).toEqual(['suggestion_standard_input']);
    expect(codes(create('--paths-from-stdin', 'r::a'))).toEqual(['suggestion_from_program']);
    expect(codes(create('--exclude-from', '/etc/borg.ex', 'r::a', '/'))).toEqual(['suggestion_pattern_file']);
    expect(codes(create('--patterns-from', '/tmp/x1', 'r::a', '/'))).toEqual(['suggestion_temporary_file']);
    expect(codes(create('-C', 'auto,gzip', 'r::a', '/'))).toEqual(['suggestion_other_compression']);
    expect(codes(['borg', 'import-tar', 'r::a', 'x.tar'])).toEqual(['suggestion_not_created']);
    expect(codes([])).toEqual(['suggestion_not_created']);
    expect(sourcesOf(create('-C', 'auto,lzma', 'r::a', '/')).compression).toBe('auto,lzma');
    expect(sourcesOf(create('r::a', '/', 'relative')).confidence).toBe('medium');
  });
});

test('are empty for a command that no system accepts', () => {
  const { sources, remarks } = sourcesOf(['borg', 'create', '::a', ...Array(40_000).fill('/some/path')]);
  expect([sources, remarks.map(({ code }) => code)]).toEqual([[], ['suggestion_command_too_long']]);
});
