import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolProcess } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Confinement } from '../src/confinement.js';
import { isAlive } from '../src/process-identity.js';

const isRoot = process.getuid?.() === 0;
const nobody = 65534;
const users = isRoot ? ['root', 'nobody'] : ['this user'];
const otherMount = '/dev/shm';

let root: string;
let shared: string;
const at = (...parts: string[]) => join(root, ...parts);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'confined-'));
  shared = mkdtempSync(join(otherMount, 'confined-'));
  chmodSync(root, 0o755);
  for (const name of ['base', 'stage', 'data/one/.cache', 'data/plugins', 'home/.ssh', 'victim']) {
    mkdirSync(at(name), { recursive: true });
  }
  writeFileSync(at('victim', 'secret'), 'secret');
  borg('init', '--encryption=none', at('repository'));
});
afterEach(() => {
  for (const each of [root, shared]) rmSync(each, { recursive: true, force: true });
});

const borg = (...args: string[]) =>
  execFileSync('borg', args, {
    env: { PATH: process.env.PATH, HOME: at('base'), BORG_BASE_DIR: at('base') },
  });

/** An archive of members as nobody's tar writes them. */
function archive(members: object[]): void {
  const script = `
import io, json, sys, tarfile
with tarfile.open(sys.argv[1], 'w') as tar:
    for member in json.loads(sys.argv[2]):
        info = tarfile.TarInfo(member['name'])
        info.type = member.get('type', '0').encode()
        info.mode = member.get('mode', 0o644)
        info.linkname = member.get('link', '')
        content = member.get('content', '').encode()
        info.size = len(content)
        tar.addfile(info, io.BytesIO(content))
`;
  execFileSync('python3', ['-c', script, at('a.tar'), JSON.stringify(members)]);
  borg('import-tar', `${at('repository')}::a`, at('a.tar'));
  rmSync(at('a.tar'));
}

const up = (path: string): string => `home/${'../'.repeat(40)}${path.slice(1)}`;
const planted = (name: string) => ({ name, content: 'planted' });

interface Told {
  tool?: ToolProcess;
  end?: { warnings?: string[]; kind?: string; message?: string };
  findings?: { status: string; text: string }[];
}

function extract(user: string, binary = 'borg') {
  const target = { uid: 'one', passphrase: '', keyFile: null, remoteToolPath: null };
  const asked = { dataFolder: at('data'), folder: at('stage'), binary, asNobody: user === 'nobody' };
  if (user === 'nobody') execFileSync('chown', ['-R', `${nobody}:${nobody}`, root, shared]);
  const args = JSON.stringify({ ...asked, target: { ...target, location: at('repository') } });
  // Without the options of the test runner, which lead to sources.
  return fork(join(import.meta.dirname, 'confined-extract.mjs'), [args], { execArgv: [] });
}

async function extracted(user: string): Promise<Told> {
  const child = extract(user);
  const told: Told = {};
  child.on('message', (message: Told) => Object.assign(told, message));
  await once(child, 'exit');
  return told;
}

/** All that is there except the stage, with modes and content. */
function world(): string[] {
  const places = [root, shared].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const stays = (path: string) => !path.startsWith(at('stage')) && !path.startsWith(at('data', '.'));
  return places.filter(stays).map((path) => {
    const stats = lstatSync(path);
    const content = stats.isFile() ? readFileSync(path, 'latin1').length : '';
    return [path, stats.mode, stats.nlink, content].join(' ');
  });
}

test.each(users)('writes nothing outside of the stage for any names in an archive: %s', async (user) => {
  const places = ['repository', 'data/one/.cache', 'data/plugins', 'home/.ssh', 'victim'].map((name) =>
    at(name),
  );
  archive([
    planted('home/good'),
    ...[...places, shared, tmpdir()].map((place) => planted(up(join(place, 'confined-planted')))),
    planted(up(at('repository', 'config'))),
    planted(up(at('victim', 'secret'))),
    planted(up(`/proc/1/root${at('victim')}/by-proc`)),
    { name: up(at('home')), type: '5', mode: 0o777 },
    { name: 'way', type: '2', link: at('victim') },
    planted('way/through'),
    { name: 'repository', type: '2', link: at('repository') },
    planted('repository/config'),
    { name: 'linked', type: '1', link: up(at('victim', 'secret')) },
    planted('home/last'),
  ]);
  if (user === 'nobody') execFileSync('chown', ['-R', `${nobody}:${nobody}`, root, shared]);
  const before = world();
  const { end, findings } = await extracted(user);
  expect(findings).toEqual([expect.objectContaining({ status: 'ok' })]);
  expect(end?.warnings?.join('\n')).toMatch(/Read-only file system/);
  expect(world()).toEqual(before);
  expect(existsSync(join(tmpdir(), 'confined-planted'))).toBe(false);
  expect(readFileSync(at('stage', 'home', 'good'), 'utf8')).toBe('planted');
  expect(readFileSync(at('stage', 'home', 'last'), 'utf8')).toBe('planted');
  expect(existsSync(at('stage', 'linked'))).toBe(false);
  // The tool's lock was in the repository, and is gone.
  expect(readdirSync(at('repository')).filter((name) => name.startsWith('lock'))).toEqual([]);
});

test.runIf(isRoot)('creates devices only inside the stage', async () => {
  execFileSync('mknod', [at('victim', 'full'), 'c', '1', '7']);
  archive([
    planted('home/first'),
    planted(up(at('victim', 'full'))),
    { name: 'home/null', type: '3', mode: 0o666 },
    planted('home/last'),
  ]);
  const { end } = await extracted('root');
  expect(end?.warnings?.join()).toMatch(/full: open: .*Permission denied: 'home\//);
  expect(lstatSync(at('victim', 'full')).isCharacterDevice()).toBe(true);
  expect(lstatSync(at('stage', 'home', 'null')).isCharacterDevice()).toBe(true);
  expect(readFileSync(at('stage', 'home', 'last'), 'utf8')).toBe('planted');
});

test.each(users)('ends a confined tool with the service under its reported process id: %s', async (user) => {
  const lines = ['#!/bin/sh', '[ "$1" = --version ] && exec borg --version', 'exec sleep 100'];
  writeFileSync(at('borg'), lines.join('\n'), { mode: 0o755 });
  if (user === 'nobody') chownSync(at('borg'), nobody, nobody);
  const child = extract(user, at('borg'));
  const [{ tool }] = (await once(child, 'message')) as [Required<Told>];
  const program = () => readFileSync(`/proc/${tool.pid}/comm`, 'utf8').trim();
  await expect.poll(program, { timeout: 60_000 }).toBe('sleep');
  expect(readFileSync(`/proc/${tool.pid}/status`, 'utf8')).toMatch(
    user === 'root' ? /CapEff:\s+0*[1-9a-f]/ : /CapEff:\s+0{16}/,
  );
  child.kill('SIGKILL');
  await expect.poll(() => isAlive(tool), { timeout: 60_000 }).toBe(false);
});

test('can confine before its own folder exists', async () => {
  const confinement = new Confinement(at('new'), async () => 'borg', new AbortController().signal);
  expect(await confinement.problem()).toBeNull();
});

test('reports missing mount namespaces and extracts anyway', async () => {
  archive([planted('home/good')]);
  writeFileSync(at('unshare'), '#!/bin/sh\necho "unshare: not allowed here" >&2; exit 1\n', { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${root}:${path}`;
  try {
    const { end, findings } = await extracted('root');
    expect(findings).toEqual([expect.objectContaining({ status: 'warning' })]);
    expect(findings?.[0]?.text).toMatch(/is not confined .*not allowed here/);
    expect(end).toEqual({ warnings: [] });
  } finally {
    process.env.PATH = path;
  }
  expect(readFileSync(at('stage', 'home', 'good'), 'utf8')).toBe('planted');
});
