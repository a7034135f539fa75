import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RejectedMembers } from '../src/pull/rejected-members.js';
import { acceptedMembers, type TarMember } from '../src/pull/tar-members.js';
import { type MemberPlan, memberBytes, paxText, tarStream } from './tar-streams.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-members-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function* from(bytes: Buffer, size = 700) {
  yield* inPieces(bytes, size);
}

async function through(bytes: Buffer, size?: number) {
  const refused = new RejectedMembers(undefined);
  const parts: Buffer[] = [];
  for await (const part of refused.without(from(bytes, size))) parts.push(part);
  return { bytes: Buffer.concat(parts), warnings: refused.all() };
}

/** The members of each stream as the tool's own reader has them. */
function byPython(streams: Buffer[]): [string, string, string][][] {
  const files = streams.map((bytes, index) => {
    writeFileSync(join(folder, `${index}.tar`), bytes);
    return join(folder, `${index}.tar`);
  });
  const script = `
import json, sys, tarfile
def text(name): return name.encode('utf-8', 'surrogateescape').decode('latin1')
for path in sys.stdin.read().split():
    with open(path, 'rb') as file:
        tar = tarfile.open(fileobj=file, mode='r|')
        out = []
        while (member := tar.next()) is not None:
            if member.isreg(): tar.extractfile(member).read()
            out.append([text(member.name), member.type.decode('latin1'), text(member.linkname) if member.islnk() else ''])
        print(json.dumps(out))
`;
  const output = execFileSync('python3', ['-c', script], { input: files.join('\n'), encoding: 'utf8' });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('passes archives of GNU tar byte for byte', () => {
  beforeAll(() => {
    const script = `
import os
root = os.fsencode(${JSON.stringify(folder)}) + b'/tree'
long = b'/' + b'n' * 200
os.makedirs(root + b'/deep' + long + long + b'/x' * 40)
for name in [b'/f', b'/..f', b'/f..', b'/\\xff\\xfe', b'/new\\nline', b'/deep' + long + b'/file']:
    open(root + name, 'wb').write(name * 100)
open(root + b'/holes', 'wb').truncate(1 << 20)
open(root + b'/holes', 'r+b').write(b'x')
open(root + b'/empty', 'wb')
os.link(root + b'/f', root + b'/h')
os.link(root + b'/deep' + long + b'/file', root + b'/h2')
os.symlink('/anywhere', root + b'/s')
os.link(root + b'/s', root + b'/s2', follow_symlinks=False)
os.symlink(b'../' * 60 + b'x', root + b'/s3')
os.mkfifo(root + b'/pipe')
`;
    execFileSync('python3', ['-c', script]);
  });

  test.each([
    ['--format=pax'],
    ['--format=pax', '--sparse'],
    ['--format=pax', '--owner=ümlaut:99999999', '--mtime=@99999999999.5'],
    ['--format=pax', '--label=of a volume', '--exclude=holes'],
    ['--format=gnu'],
  ])('%s %s %s', async (...flags) => {
    const bytes = execFileSync('tar', ['-C', folder, ...flags, '-cf', '-', 'tree'], { maxBuffer: 1 << 26 });
    for (const size of [1000, 65_536]) {
      const passed = await through(bytes, size);
      expect(passed.warnings).toEqual([]);
      expect(passed.bytes.equals(bytes)).toBe(true);
    }
  });
});

describe('hostile members are dropped with all that belongs to them', () => {
  const good: MemberPlan[] = [
    { name: 'home/a', content: 'a'.repeat(700) },
    { name: 'home/way', type: '2', linkName: '/x' },
  ];

  test.each<[string, MemberPlan]>([
    ['".." inside', { name: 'home/../../../x', content: 'evil' }],
    ['".." in an extended header', { name: 'fine', pax: { path: 'home/../../x' }, content: 'evil' }],
    ['".." in a long name', { name: 'fine', longName: 'home/../../x', content: 'evil' }],
    ['".." behind a prefix', { name: 'x', content: 'evil', raw: [{ at: 345, text: 'home/..' }] }],
    [
      '".." in the name of a sparse file',
      {
        name: 'fine',
        content: `1\n0\n0\n${'\0'.repeat(506)}`,
        pax: {
          'GNU.sparse.major': '1',
          'GNU.sparse.minor': '0',
          'GNU.sparse.name': '../x',
          'GNU.sparse.realsize': '0',
        },
      },
    ],
    ['a folder with ".."', { name: 'home/../..', type: '5' }],
    ['a device with ".."', { name: '../null', type: '3' }],
    ['an absolute path', { name: '/etc/x', content: 'evil' }],
    ['a hard link out', { name: 'home/h', type: '1', linkName: 'home/../../etc/x' }],
    ['a long hard link out', { name: 'home/h', type: '1', linkName: 'home/a', pax: { linkpath: '../x' } }],
    ['a GNU hard link out', { name: 'home/h', type: '1', linkName: 'home/a', longLink: '../x' }],
    ['an absolute hard link', { name: 'home/h', type: '1', linkName: '/etc/x' }],
    ['a hard link to nothing', { name: 'home/h', type: '1', linkName: 'etc/x' }],
    ['a hard link through a symlink', { name: 'home/h', type: '1', linkName: 'home/way/secret' }],
    ['a file through a symlink', { name: 'home/way/x', content: 'evil' }],
    ['a folder in place of a symlink', { name: 'home/way', type: '5' }],
    ['a file in place of a symlink', { name: './home//way', content: 'evil' }],
    ['a symlink in place of a folder', { name: 'home', type: '2', linkName: '/x' }],
  ])('%s', async (_what, bad) => {
    const passed = await through(tarStream(...good, bad, { name: 'home/last', content: 'z' }));
    expect(passed.bytes.equals(tarStream(...good, { name: 'home/last', content: 'z' }))).toBe(true);
    expect(passed.warnings).toHaveLength(1);
    expect(passed.warnings[0]).toMatch(/rejected because/);
  });

  test('fails if no entry of a stream is left', async () => {
    const plans: MemberPlan[] = [{ name: 'home', type: '5' }, { name: 'home/../x' }];
    await expect(through(tarStream(...plans))).rejects.toThrow(
      'The host sent nothing that may be archived. home/../x: rejected because the path contains a ".." segment.',
    );
  });

  test('skips hard links to a rejected file', async () => {
    const bad: MemberPlan[] = [
      { name: '../a', content: 'x' },
      { name: 'h', type: '1', linkName: '../a' },
    ];
    const { warnings } = await through(tarStream(...good, ...bad, { name: 'h2', type: '1', linkName: 'h' }));
    expect(warnings).toHaveLength(3);
  });
});

describe('invalid streams end', () => {
  const good: MemberPlan = { name: 'good', content: 'x' };
  const sparse = {
    'GNU.sparse.major': '1',
    'GNU.sparse.minor': '0',
    'GNU.sparse.name': 'x',
    'GNU.sparse.realsize': '0',
  };
  test.each<[string, MemberPlan]>([
    ['a wrong checksum', { name: 'a', raw: [{ at: 148, text: '0000000\0' }] }],
    ['a size in words', { name: 'a', raw: [{ at: 124, text: 'many\0\0\0\0\0\0\0\0' }] }],
    ['a size below zero', { name: 'a', raw: [{ at: 124, text: '\xff'.repeat(12) }] }],
    ['a size beyond all', { name: 'a', raw: [{ at: 124, text: `\x80${'\xff'.repeat(11)}` }] }],
    ['a mode that is none', { name: 'a', raw: [{ at: 100, text: '0x1ff\0\0\0' }] }],
    ['another magic', { name: 'a', raw: [{ at: 257, text: 'rastu' }] }],
    [
      'a prefix in the old format',
      {
        name: 'a',
        raw: [
          { at: 257, text: 'ustar  \0' },
          { at: 345, text: '..' },
        ],
      },
    ],
    ['an unknown type', { name: 'a', type: 'V' }],
    ['an old regular file', { name: 'a/', type: '\0' }],
    ['a file that ends with a slash', { name: 'a/' }],
    ['a symlink with content', { name: 'a', type: '2', linkName: 'x', content: 'b' }],
    ['a hard link with content', { name: 'a', type: '1', linkName: 'good', pax: { size: '512' } }],
    ['a NUL in a path', { name: 'a', pax: { path: 'a\0b' } }],
    ['a NUL in an owner', { name: 'a', pax: { uname: 'root\0' } }],
    ['a path twice', { name: 'a', longName: 'b', pax: { path: 'c' } }],
    ['a size that is none', { name: 'a', pax: { size: '0x10' } }],
    ['a time that is none', { name: 'a', pax: { mtime: 'nan' } }],
    ['a sparse file with two names', { name: 'a', pax: { ...sparse, path: 'b' } }],
    ['a sparse file with two sizes', { name: 'a', pax: { ...sparse, size: '0' } }],
    ['an old sparse file', { name: 'a', pax: { 'GNU.sparse.map': '0,1', 'GNU.sparse.name': 'x' } }],
    ['a header for all', { name: 'a', type: 'g', content: paxText({ path: '../x' }) }],
    ['no extended header at all', { name: 'a', type: 'x', content: 'path=../x\n' }],
    ['an extended header for nothing', { name: 'a', type: 'x', content: paxText({ path: 'b' }) }],
  ])('%s', async (_what, bad) => {
    await expect(through(tarStream(good, bad))).rejects.toMatchObject({ kind: 'failed' });
  });

  test('ends a stream that continues after its end or stops early', async () => {
    const whole = tarStream(good);
    await expect(through(Buffer.concat([whole, memberBytes(good)]))).rejects.toMatchObject({
      kind: 'failed',
    });
    for (const size of [512, 700, 1024])
      await expect(through(whole.subarray(0, size))).rejects.toMatchObject({ kind: 'failed' });
    const twice = Buffer.concat([
      memberBytes({ name: 'a', type: 'x', content: paxText({ path: 'b' }) }),
      tarStream(),
    ]);
    await expect(through(twice)).rejects.toMatchObject({ kind: 'failed' });
  });
});

test('passes to the tool exactly the accepted entries of any stream', async () => {
  const name = fc.constantFrom(
    'a',
    'b/c',
    '../x',
    'a/../b',
    '/abs',
    './d',
    'w',
    'w/in',
    'long'.repeat(30),
    'a/',
    '\xff',
    '',
  );
  const text = fc.oneof(name, fc.string({ maxLength: 12 }));
  const raw = fc.record({
    at: fc.constantFrom(0, 99, 100, 124, 135, 136, 148, 156, 157, 256, 257, 263, 265, 329, 344, 345, 482),
    text: fc.oneof(
      name,
      fc.constantFrom('\0', '\x80', '\xff', ' 7 ', '0x1', '1_0', '5', '1', '00000001000\0'),
    ),
  });
  const keys = fc.constantFrom(
    'path',
    'linkpath',
    'size',
    'mtime',
    'uname',
    'comment',
    'GNU.sparse.name',
    'GNU.sparse.major',
  );
  const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ arbitrary: fc.constant(undefined), weight: 6 }, { arbitrary, weight: 1 });
  const plan = fc.record({
    name,
    type: fc.oneof(
      { arbitrary: fc.constantFrom('0', '1', '2', '5', '6'), weight: 20 },
      { arbitrary: fc.constantFrom('\0', '7', 'S', 'x', 'g', 'L', 'V'), weight: 1 },
    ),
    linkName: name,
    content: fc.option(fc.oneof(text, fc.constant('b'.repeat(513))), { nil: undefined }),
    pax: seldom(fc.dictionary(keys, fc.oneof(text, fc.constantFrom('0', '1', '512')), { maxKeys: 2 })),
    longName: seldom(text),
    longLink: seldom(text),
    raw: seldom(fc.array(raw, { maxLength: 1 })),
  });
  const plans = fc.array(plan, { minLength: 1, maxLength: 4 });
  const passed: Buffer[] = [];
  const told: TarMember[][] = [];
  for (const each of fc.sample(plans, { numRuns: 6_000, seed: 11 }) as MemberPlan[][]) {
    const members: TarMember[] = [];
    const parts: Buffer[] = [];
    try {
      const accepts = (member: TarMember) => members.push(member) > 0 && !member.path.includes('..');
      for await (const part of acceptedMembers(from(tarStream(...each)), accepts)) parts.push(part);
    } catch (error) {
      expect(error).toMatchObject({ kind: 'failed' });
      continue;
    }
    passed.push(Buffer.concat(parts));
    told.push(members.filter((member) => !member.path.includes('..')));
  }
  expect(passed.length).toBeGreaterThan(500);
  const plain = (path: string) => path.replace(/\/+$/, '');
  expect(byPython(passed).map((members) => members.map(([path, , link]) => [plain(path), link]))).toEqual(
    told.map((members) => members.map((member) => [plain(member.path), member.hardLinkTarget ?? ''])),
  );
});
