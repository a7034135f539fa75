import { describe, expect, test } from 'vitest';
import { ArchiveShape, PathKinds } from '../src/archive-shape.js';
import { problemOfName } from '../src/entry-names.js';

describe('a name that a stranger wrote', () => {
  test.each([
    ['../x', 'contains a ".." segment'],
    ['home/../../../x', 'contains a ".." segment'],
    ['home/..', 'contains a ".." segment'],
    ['./../x', 'contains a ".." segment'],
    ['/etc/passwd', 'begins with a slash'],
    ['a\0b', 'contains a NUL character'],
    ['a/'.repeat(2_048), 'is longer than 4095 characters'],
  ])('%j', (path, fault) => expect(problemOfName(path)).toBe(fault));

  test.each(['', '.', './a', 'a//b', '..a/b..', 'a/...', 'a/.. ', 'x\udcff/..\udcfe'])('%j is fine', (path) =>
    expect(problemOfName(path)).toBeNull(),
  );
});

type Member = Parameters<ArchiveShape['take']>[0];
const file = (path: string): Member => ({ path, type: 'file', hardLinkTarget: null });
const directory = (path: string): Member => ({ path, type: 'directory', hardLinkTarget: null });
const symlink = (path: string): Member => ({ path, type: 'symlink', hardLinkTarget: null });
const link = (path: string, source: string): Member => ({ path, type: 'file', hardLinkTarget: source });

describe('members of a stream', () => {
  const told = (members: Member[]) => {
    const shape = new ArchiveShape();
    return members.map((member) => shape.take(member));
  };

  test('accepts entries that do not conflict', () => {
    const members = [
      ...[directory('./'), directory('a/'), file('a/f'), file('a/f'), directory('a'), symlink('a/l')],
      ...[link('a/h', './a/f'), link('a/h2', 'a//h'), link('a/l2', 'a/l'), file('b/without/its/parents')],
    ];
    expect(told(members).filter((fault) => fault !== null)).toEqual([]);
  });

  test.each<[string, Member[], string]>([
    ['below a symlink', [symlink('way'), file('./way/x')], 'the archive contains it below a symlink'],
    [
      'deep below a symlink',
      [symlink('a/way'), file('a/way/b/c')],
      'the archive contains it below a symlink',
    ],
    ['below a file', [file('a'), file('a/b')], 'the archive contains it below a file'],
    ['a symlink where others stand', [file('way/x'), symlink('way')], 'as a directory and as a symlink'],
    ['a file where others stand', [file('a/b/c'), file('a/b')], 'as a directory and as a file'],
    ['a symlink and a file', [symlink('a'), file('a')], 'the archive contains it as a symlink and as a file'],
    ['an empty directory and a file', [directory('a'), file('a')], 'as a directory and as a file'],
    ['a link out', [file('a'), link('h', 'b/../../a')], 'a hard link to a path that contains a ".."'],
    ['a link to the root', [file('a'), link('h', '/a')], 'a hard link to a path that begins with a slash'],
    ['a link to nothing', [file('a'), link('h', 'b')], 'a hard link to a file that was not sent before it'],
    ['a link to a directory', [file('a/b'), link('h', 'a')], 'that was not sent before it'],
    ['a link through a symlink', [symlink('way'), link('h', 'way/secret')], 'a hard link through a symlink'],
    ['a link to what was refused', [file('../a'), link('h', 'a')], 'that was not sent before it'],
    ['a file without a name', [file('./')], 'it has no name'],
  ])('%s', (_what, members, fault) => {
    const faults = told(members);
    expect(faults.at(-1)).toContain(fault);
  });
});

test('symlinks that are not brought back stop hard links only', () => {
  const shape = new ArchiveShape();
  shape.addElsewhere('way');
  expect(shape.add('way/x', 'file')).toBeNull();
  expect(shape.problemOfHardLink('way/x')).toBe('it is a hard link through a symlink');
});

test('finds the notes of many paths and of no others', () => {
  const kinds = new PathKinds();
  const path = (number: number) => `home/user-${number % 97}/folder-${number % 1009}/file-${number}`;
  for (let number = 0; number < 200_000; number++)
    kinds.visit(path(number), (_known, whole) => (whole ? 2 : 1));
  const wrong = [];
  for (let number = 0; number < 200_000; number++) {
    if (kinds.get(path(number)) !== 2) wrong.push(path(number));
    if (kinds.get(`${path(number)}x`) !== 0) wrong.push(`${path(number)}x`);
  }
  expect(wrong).toEqual([]);
  expect([kinds.get('home'), kinds.get('home/user-96'), kinds.get('hom')]).toEqual([1, 1, 0]);
});
