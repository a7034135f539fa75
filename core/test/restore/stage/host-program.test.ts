import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmod,
  cp,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bytesOfName, nameOfBytes, type SourceHost } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HostFiles } from '../../../src/backup/restore/remote/host-files.js';
import { hostCommand, journalLines } from '../../../src/backup/restore/remote/host-session.js';
import type { Journal } from '../../../src/backup/restore/stage/journal.fs.js';
import { look } from '../../../src/backup/restore/stage/target-files.fs.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'host-program-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A host that is this machine, without the line between. */
const here: SourceHost = {
  name: 'here',
  toolPath: null,
  async run([program = '', ...words]) {
    const child = spawn(program, words, { stdio: 'pipe' });
    const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
      child.on('close', (code, signal) => resolve({ code, signal })),
    );
    return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exit };
  },
};

interface Scene {
  staging: string;
  target: string;
  journal: Journal;
}

function run({ staging }: Scene, verb: string, { input = '', path = process.env.PATH } = {}): string {
  const [program = '', ...words] = hostCommand(verb, staging);
  const { stdout } = spawnSync(program, words, { input, encoding: 'utf8', env: { PATH: path } });
  return stdout.trim();
}

/** A file to replace, a file and a directory to add below a folder that is made, and a symlink. */
async function scene(): Promise<Scene> {
  const target = join(folder, 'target');
  const staging = join(target, '.holdfast-restore-test-1');
  await rm(folder, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'old'), 'before');
  await writeFile(join(target, 'mine'), 'mine');
  const tree = join(staging, 'tree');
  await mkdir(join(staging, 'aside'), { recursive: true });
  await chmod(staging, 0o700);
  await mkdir(join(tree, 'fresh', 'inner'), { recursive: true });
  await writeFile(join(tree, 'old'), 'after');
  await writeFile(join(tree, 'new \n\\name'), 'new');
  await symlink('nowhere', join(tree, 'link'));
  await writeFile(join(tree, 'fresh', 'inner', 'file'), 'file');
  const move = (name: string, to: string, replace = false) => ({ from: name, to, replace });
  const journal = {
    made: [join(target, 'made')],
    moves: [
      move('old', join(target, 'old'), true),
      move('new \n\\name', join(target, 'made', 'new \n\\name')),
      move('link', join(target, 'link')),
      move('fresh', join(target, 'made', 'fresh')),
    ],
    modes: [
      [join(target, 'made', 'fresh'), 0o500],
      [join(target, 'made', 'fresh', 'inner'), 0o311],
    ] as [string, number][],
  };
  const at = { staging, target, journal };
  run(at, 'journal', { input: [...journalLines(journal)].join('') });
  return at;
}

async function contentOf({ target }: Scene): Promise<string[]> {
  const names = await readdir(target, { recursive: true, withFileTypes: true });
  const lines = names.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path.slice(target.length)} ${entry.isFile() ? await readFile(path, 'utf8') : ''}`;
  });
  return (await Promise.all(lines)).filter((line) => !line.startsWith('/.holdfast')).toSorted();
}

const before = ['/mine mine', '/old before'];
const complete = [
  '/link ',
  '/made ',
  '/made/fresh ',
  '/made/fresh/inner ',
  '/made/fresh/inner/file file',
  '/made/new \n\\name new',
  '/mine mine',
  '/old after',
];

/** Commands of the program that die at the n-th call, and the program with them: before they act, or after. */
async function deadlyPath(point: number, when: 'before' | 'after'): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const name of ['mv', 'ln', 'rm', 'mkdir', 'rmdir', 'sync']) {
    const real = ['/usr/bin', '/bin'].map((place) => `${place}/${name}`).join(' ');
    const die = `kill -9 $(cat '${join(folder, 'target')}'/.holdfast-*/lock/pid) $PPID 2>/dev/null; exit 1`;
    const text = `#!/bin/sh
echo >> '${bin}/calls'; n=$(wc -l < '${bin}/calls')
if [ "$n" = ${point} ] && [ ${when} = before ]; then ${die}; fi
for real in ${real}; do [ -x "$real" ] && break; done
"$real" "$@"; code=$?
if [ "$n" = ${point} ] && [ ${when} = after ]; then ${die}; fi
exit $code
`;
    await writeFile(join(bin, name), text);
    await chmod(join(bin, name), 0o755);
  }
  return `${bin}:${process.env.PATH}`;
}

const points = Array.from({ length: 11 }, (_, n) => [n + 2, n % 2 === 0 ? 'before' : 'after'] as const);

test('performs the moves of a journal and repeats its report', async () => {
  const at = await scene();
  expect(run(at, 'commit')).toBe('done');
  expect(await contentOf(at)).toEqual(complete);
  expect(run(at, 'commit')).toBe('done');
  run(at, 'remove');
  expect(await look(at.staging)).toBeNull();
  expect(run(at, 'commit')).toBe('gone');
});

test.each(points)('finishes on the next run when killed at call %i (%s it)', async (point, when) => {
  const at = await scene();
  expect(run(at, 'commit', { path: await deadlyPath(point, when) })).toBe('');
  expect(run(at, 'commit')).toBe('done');
  expect(await contentOf(at)).toEqual(complete);
});

test.each(points)('can be undone when killed at call %i (%s it)', async (point, when) => {
  const at = await scene();
  run(at, 'commit', { path: await deadlyPath(point, when) });
  run(at, 'undo');
  expect(await contentOf(at)).toEqual(before);
});

test('does not overwrite new files and undoes everything', async () => {
  const at = await scene();
  await mkdir(join(at.target, 'made'));
  await writeFile(join(at.target, 'made', 'fresh'), 'somebody else');
  expect(run(at, 'commit')).toMatch(/^undone .*appeared while/);
  expect(await contentOf(at)).toEqual(['/made ', '/made/fresh somebody else', ...before]);
  expect(run(at, 'commit')).toMatch(/^undone/);
});

test('sets restrictive directory modes last, any number of times', async () => {
  const at = await scene();
  expect(run(at, 'commit')).toBe('done');
  const modeOf = async (name: string) =>
    Number((await look(join(at.target, 'made', 'fresh', name)))?.mode ?? 0) & 0o777;
  expect([await modeOf('.'), await modeOf('inner')]).toEqual([0o500, 0o311]);
  await rm(join(at.staging, 'result'));
  expect(run(at, 'commit')).toBe('done');
  expect([await modeOf('.'), await modeOf('inner')]).toEqual([0o500, 0o311]);
});

describe('a target that its owner changes during the restore', () => {
  /** A scene in which `made` is there already, and what belongs to somebody else. */
  async function trap(): Promise<Scene & { victim: string; swap: string }> {
    const at = await scene();
    const victim = join(folder, 'victim');
    await mkdir(victim);
    await writeFile(join(victim, 'old'), 'of the victim');
    await mkdir(join(at.target, 'made'));
    const made = join(at.target, 'made');
    return { ...at, victim, swap: `mv '${made}' '${at.target}/moved' && ln -s '${victim}' '${made}'` };
  }
  const expectUntouched = async ({ victim }: { victim: string }) => {
    expect(await readdir(victim)).toEqual(['old']);
    expect(await readFile(join(victim, 'old'), 'utf8')).toBe('of the victim');
  };

  test('refuses a folder replaced by a symlink before it was entered', async () => {
    const at = await trap();
    execFileSync('sh', ['-c', at.swap]);
    expect(run(at, 'commit')).toMatch(/^undone .*made: .*File exists/);
    await expectUntouched(at);
    expect(await readFile(join(at.target, 'old'), 'utf8')).toBe('before');
  });

  test('follows a folder that was moved after it was entered', async () => {
    const at = await trap();
    const bin = join(folder, 'bin');
    await mkdir(bin);
    // The mounts are asked for in the target first, and in `made` after it.
    const lines = [
      '#!/bin/sh',
      `case $PWD in */made) ${at.swap};; esac`,
      `PATH=${process.env.PATH}; exec findmnt "$@"`,
    ];
    await writeFile(join(bin, 'findmnt'), lines.join('\n'), { mode: 0o755 });
    run(at, 'commit', { path: `${bin}:${process.env.PATH}` });
    await expectUntouched(at);
    expect(await readdir(join(at.target, 'moved'))).toContain('new \n\\name');
  });

  test('refuses a replaced working folder and keeps its content', async () => {
    const at = await trap();
    await rename(at.staging, join(at.target, 'hidden'));
    await cp(join(at.target, 'hidden'), at.staging, { recursive: true });
    await chmod(at.staging, 0o700);
    await rm(join(at.staging, 'tree'), { recursive: true });
    await symlink(at.victim, join(at.staging, 'tree'));
    expect(run(at, 'commit')).toMatch(/^torn .* is not the working folder/);
    expect(run(at, 'undo')).toMatch(/^torn .* is not the working folder/);
    await chmod(at.staging, 0o755);
    for (const verb of ['remove', 'journal', 'receive']) {
      expect(run(at, verb), verb).toMatch(/is not the working folder of this restore/);
    }
    await expectUntouched(at);
  });
});

test('copies nothing to another mount', async () => {
  const at = await scene();
  const elsewhere = join(folder, 'elsewhere');
  await mkdir(elsewhere);
  await mkdir(join(at.target, 'made'));
  const [program = '', ...words] = hostCommand('commit', at.staging);
  const mount = `mount --bind '${elsewhere}' '${join(at.target, 'made')}' && exec "$@"`;
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  const { stdout } = spawnSync('unshare', [...namespace, 'sh', '-c', mount, 'sh', program, ...words]);
  expect(`${stdout}`).toMatch(/^undone .*another mount/s);
  expect(await readdir(elsewhere)).toEqual([]);
  expect(await contentOf(at)).toEqual(['/made ', ...before]);
});

test('rejects an incomplete journal and other folders', async () => {
  const at = await scene();
  await rm(join(at.staging, 'journal'));
  expect(run(at, 'journal', { input: 'make /x\n' })).toMatch(/journal is incomplete/);
  expect(await look(join(at.staging, 'journal'))).toBeNull();
  expect(run({ ...at, staging: at.target }, 'remove')).toMatch(/not a working folder/);
  expect(await contentOf(at)).toEqual(before);
});

test('receives a tree to the last byte, even after the end of the archive', async () => {
  const staging = join(folder, '.holdfast-restore-test-2');
  await mkdir(staging, { mode: 0o700 });
  await writeFile(join(folder, 'file'), 'content');
  const tar = execFileSync('tar', ['-c', '-C', folder, 'file']);
  const { stdin, exit } = await here.run(hostCommand('receive', staging), {});
  await pipeline(Readable.from([tar, Buffer.alloc(8 * 1024 ** 2)]), stdin);
  expect(await exit).toEqual({ code: 0, signal: null });
  expect(await readFile(join(staging, 'tree', 'file'), 'utf8')).toBe('content');
});

test('reports the same as lstat for every name', async () => {
  const names = ['plain', 'two\nlines', 'ü ✓', "it's \\ $(id) `id`", '-rf', '\udcffbad'];
  for (const name of names) await writeFile(bytesOfName(join(folder, name)), name);
  await link(join(folder, 'plain'), join(folder, 'again'));
  await symlink('nowhere', join(folder, 'link'));
  const files = new HostFiles(here);
  for (const name of [...names, 'again', 'link', '']) {
    const path = name === '' ? folder : join(folder, name);
    const [found, real] = await Promise.all([files.look(path), look(path)]);
    const facts = (each: typeof found) =>
      each && [each.dev, each.ino, each.ctimeNs, each.mtimeNs, each.size, each.isFile()];
    expect(facts(found), JSON.stringify(name)).toEqual(facts(real));
  }
  for (const path of ['none', 'none/deep', 'plain/x', 'link/x']) {
    expect(await files.look(join(folder, path)), path).toBeNull();
  }
  expect(await files.freeBytes(folder)).toBeGreaterThan(0);
  expect((await files.facts()).tools[0]).toContain('GNU');
  expect(nameOfBytes(bytesOfName('\udcff'))).toBe('\udcff');
  await files.close();
});
