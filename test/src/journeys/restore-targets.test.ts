/** Restores onto file systems that can't keep everything. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archived, backUp, createRepository, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { FileSystems } from '../faults/file-systems.js';
import { endedRestore } from '../restore.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { quickSetup } from '../ssh-actions.js';

const onStick = ['owners', 'modes', 'symlinks', 'hard_links', 'case', 'names'];
const targets: [string, (systems: FileSystems, path: string) => void, string[]][] = [
  ['an exFAT stick', (systems, path) => systems.exfat(path), onStick],
  [
    'a share with one owner',
    (systems, path) => {
      const ignore = ['--chown-ignore', '--chmod-ignore'];
      systems.view(path, ['--force-user=1000', '--force-group=1000', '--perms=0755', ...ignore]);
    },
    ['owners', 'modes'],
  ],
  [
    'a share without root',
    (systems, path) => systems.view(path, ['--force-user=nobody', '--create-as-user', '--chown-deny']),
    ['owners'],
  ],
  [
    'a share that refuses modes',
    (systems, path) => systems.view(path, ['--perms=0755', '--chmod-deny', '--chown-deny']),
    ['owners', 'modes'],
  ],
];

const changed = new Date('2020-02-02T02:02:02Z');
let systems: FileSystems;
let server: TestServer;
let api: Api;
let repository: Repository;
let archive: string;
let source: string;

beforeAll(async () => {
  systems = new FileSystems();
  server = await TestServer.start();
  api = await server.login();
  source = server.workspace.folder('source');
  mkdirSync(join(source, 'deep'));
  for (const name of ['private', 'first', 'deep/inner', 'with:colon']) {
    writeFileSync(join(source, name), `content of ${name}`);
    utimesSync(join(source, name), changed, changed);
  }
  chmodSync(join(source, 'private'), 0o600);
  linkSync(join(source, 'first'), join(source, 'further'));
  symlinkSync('private', join(source, 'link'));
  const path = join(server.workspace.path, 'repository');
  repository = await createRepository(api, { name: 'r', path, source_directories: [source] });
  archive = (await backUp(api, path)).archive_name ?? '';
});
afterAll(async () => {
  systems?.remove();
  await server?.remove();
});

const restoreTo = async (mount: string, connection: object = {}) => {
  const asked = { repository_id: repository.id, archive, paths: [archived(source)], layout: 'selection' };
  const plan = await api.post('/api/restore/plan', {
    ...asked,
    destination: join(mount, 'out'),
    ...connection,
  });
  expect(plan.text).toContain('"can_start":true');
  const { plan_id } = plan.body;
  const job = await endedRestore(api, await api.post('/api/restore/start', { plan_id }));
  return { plan: plan.body, job };
};

function expectContent(mount: string, lacks: readonly string[]): void {
  expect(readdirSync(mount)).toEqual(['out']);
  const out = join(mount, 'out', 'source');
  const names = ['private', 'first', 'further', 'deep/inner'];
  for (const name of [...names, ...(lacks.includes('names') ? [] : ['with:colon'])]) {
    const first = name === 'further' ? 'first' : name;
    expect(readFileSync(join(out, name), 'utf8'), name).toBe(`content of ${first}`);
    const off = Math.abs(lstatSync(join(out, name)).mtimeMs - changed.getTime());
    expect(off, name).toBeLessThan(2_001);
  }
}

describe.each(targets)('%s', (name, mount, lacks) => {
  test('lists losses in the plan and restores content and times', async () => {
    const path = join(server.workspace.path, name.replaceAll(' ', '-'));
    mount(systems, path);
    const { plan, job } = await restoreTo(path);
    expect(plan.not_kept).toEqual(lacks);
    expect(plan.owners.can_be_set).toBe(false);
    expect(plan.remark_codes.length).toBeGreaterThan(0);
    expect(job.status).toMatch(/^completed/);
    expectContent(path, lacks);
  });
});

test('restores onto a stick and onto a share of another host', async () => {
  const sshd = await TestSshd.start();
  try {
    const connection = await quickSetup(api, sshd);
    const { uid } = lstatSync(sshd.home);
    const [stick, share] = [join(sshd.home, 'stick'), join(sshd.home, 'share')];
    systems.exfat(stick, uid);
    systems.view(share, [`--force-user=${uid}`, '--perms=0755', '--chmod-deny']);
    for (const [path, lacking, message] of [
      [stick, 'symlinks', expect.not.stringContaining('ACL')],
      [share, 'modes', null],
    ] as const) {
      const { plan, job } = await restoreTo(path, { destination_connection_id: connection.id });
      expect(plan.not_kept).toContain(lacking);
      const status = message ? 'completed_with_warnings' : 'completed';
      expect([job.status, job.error_message]).toEqual([status, message]);
      const inner = join(path, 'out', 'source', 'deep', 'inner');
      expect(readFileSync(inner, 'utf8')).toBe('content of deep/inner');
      expect(readdirSync(path)).toEqual(['out']);
    }
  } finally {
    systems.remove();
    await sshd.remove();
  }
});

describe('owners of another machine', () => {
  let foreign: { repository_id: number; archive: string };

  beforeAll(async () => {
    const home = server.workspace.folder('home');
    writeFileSync(join(home, 'file'), 'of number 1700');
    chownSync(join(home, 'file'), 1700, 1700);
    const names = join(server.workspace.path, 'names');
    writeFileSync(names, 'root:x:0:0::/root:/bin/sh\ndaemon:x:1700:1700::/:/bin/sh\n');
    const path = join(server.workspace.path, 'foreign');
    const env = { ...process.env, BORG_BASE_DIR: server.workspace.folder('foreign-base') };
    execFileSync('borg', ['init', '--encryption=none', path], { env });
    // There, "daemon" is number 1700.
    const script = 'mount --bind "$1" /etc/passwd && mount --bind "$1" /etc/group && borg create "$2" "$3"';
    const command = ['--mount', 'sh', '-c', script, 'sh', names, `${path}::a`, home];
    execFileSync('unshare', command, { env: { ...env, BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes' } });
    await api.post('/api/repositories/import', { name: 'foreign', path, mode: 'observe' });
    const { body } = await api.get('/api/repositories');
    const { id } = body.repositories.find((each: Repository) => each.name === 'foreign');
    foreign = { repository_id: id, archive: 'a' };
  });

  test.each(['numbers', 'names'] as const)('are restored by %s, as the plan says', async (owners) => {
    const destination = join(server.workspace.path, `by-${owners}`);
    const asked = { ...foreign, destination, layout: 'selection', ...(owners === 'names' && { owners }) };
    const plan = await api.post('/api/restore/plan', asked);
    const { names_there, ids_there, ids } = plan.body.owners.owners.find(
      ({ owner }: { owner: string }) => owner === 'daemon:daemon',
    );
    expect(plan.body.owners.by).toBe(owners);
    expect([ids, ids_there]).toEqual(['1700:1700', '1:1']);
    expect(names_there).toBeNull();
    expect(plan.body.remark_codes[0].code).toBe(owners === 'names' ? 'owners_by_name' : 'owners_by_number');
    const { plan_id } = plan.body;
    const job = await endedRestore(api, await api.post('/api/restore/start', { plan_id }));
    expect(job.status).toBe('completed');
    const [file = ''] = readdirSync(destination, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('file'),
    );
    expect(lstatSync(join(destination, file)).uid).toBe(owners === 'names' ? 1 : 1700);
  });
});

test('restores sparse files to a small disk if the user accepts the estimate', async () => {
  const holes = server.workspace.folder('holes');
  writeFileSync(join(holes, 'lastlog'), '');
  truncateSync(join(holes, 'lastlog'), 200 * 1024 * 1024);
  writeFileSync(join(holes, 'data'), 'data');
  const path = join(server.workspace.path, 'sparse');
  const { id } = await createRepository(api, { name: 'sparse', path, source_directories: [holes] });
  const made = (await backUp(api, path)).archive_name;
  const disk = join(server.workspace.path, 'disk');
  systems.tmpfs(disk, 32);
  const asked = { repository_id: id, archive: made, destination: join(disk, 'out') };
  const refused = await api.post('/api/restore/plan', asked);
  expect(refused.body.obstacle_codes).toMatchObject([{ code: 'target_too_full' }]);
  expect(refused.body.obstacles[0]).toContain('at most');
  const accepted = await api.post('/api/restore/plan', { ...asked, accept_low_space: true });
  expect(accepted.body.can_start).toBe(true);
  const { plan_id } = accepted.body;
  const job = await endedRestore(api, await api.post('/api/restore/start', { plan_id }));
  expect(job.status).toBe('completed');
});
