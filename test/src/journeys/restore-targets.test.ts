/** Restores onto file systems that can't keep everything. */
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
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
    ...{ ...asked, destination: join(mount, 'out'), ...connection },
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
  test('says in the plan what is not kept, and restores content and times', async () => {
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

test('restores onto a stick of another host', async () => {
  const sshd = await TestSshd.start();
  try {
    const connection = await quickSetup(api, sshd);
    const path = join(sshd.home, 'stick');
    systems.exfat(path);
    const { plan, job } = await restoreTo(path, { destination_connection_id: connection.id });
    expect(plan.not_kept).toContain('symlinks');
    expect(job.status).toMatch(/^completed/);
    expectContent(path, onStick);
  } finally {
    systems.remove();
    await sshd.remove();
  }
});
