import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, createRepository, expectRefusal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { addAttributes, endedRestore, snapshot } from '../restore.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, quickSetup } from '../ssh-actions.js';
import { makeRemarkable, remarkable, sparseSize } from '../trees.js';

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let connection: Connection;
let home: { repository: Repository; archive: string; source: string };
let count = 0;

beforeAll(async () => {
  [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start({ smallDisk: 8 })]);
  api = await server.login();
  connection = await quickSetup(api, sshd);
  home = await archiveOf((folder) => {
    makeRemarkable(folder);
    addAttributes(folder);
  });
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

async function archiveOf(make: (folder: string) => void) {
  count += 1;
  const source = server.workspace.folder(`source-${count}`);
  make(source);
  const repository = await createRepository(api, {
    name: `r${count}`,
    path: join(server.workspace.path, `r${count}`),
    source_directories: [source],
  });
  const job = await backUp(api, repository.path);
  expect(job.status).toBe('completed');
  return { repository, archive: job.archive_name ?? '', source };
}

const body = (fields: object, { repository, archive } = home) => ({
  repository: repository.path,
  archive,
  destination_connection_id: connection.id,
  ...fields,
});
const start = (fields: object, from = home) => api.post('/api/restore/start', body(fields, from));
const restore = async (fields: object, from = home) => endedRestore(api, await start(fields, from));

/** As the account of the host may have it: everything is its own. */
const owned = (lines: string[]): string[] =>
  lines.map((line) => {
    const facts = JSON.parse(line);
    facts[3] = facts[4] = null;
    return JSON.stringify(facts);
  });

test('restores every kind of entry on the host except owners', async () => {
  const destination = join(sshd.ownFolder('back'), 'made');
  const plan = await api.post('/api/restore/plan', body({ destination }));
  expect(plan.body.obstacles).toEqual([]);
  expect(plan.body).toMatchObject({
    destination_connection_id: connection.id,
    owners: { can_be_set: false },
  });
  const job = await endedRestore(api, await api.post('/api/restore/start', { plan_id: plan.body.plan_id }));
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(job.destination_host).toBe(`${sshd.username}@${sshd.host}`);
  expect(owned(snapshot(join(destination, archived(home.source))))).toEqual(owned(snapshot(home.source)));
  const disk = statSync(join(destination, archived(home.source), remarkable.sparse));
  expect(disk.blocks * 512).toBeLessThan(sparseSize / 4);
  expect(readdirSync(join(sshd.home, 'back'))).toEqual(['made']);
  expect(readdirSync(join(server.dataDirectory, 'restores'))).toEqual([]);
  expect(sshd.commands()).toEqual([]);
});

test('overwrites nothing on the host unless requested', async () => {
  const destination = sshd.ownFolder('busy');
  const at = join(destination, archived(home.source));
  sshd.ownFolder('busy', archived(home.source), 'closed');
  for (const name of ['closed/inner', 'closed/other']) {
    writeFileSync(join(at, name), 'mine');
    sshd.own(join(at, name));
  }
  const before = snapshot(destination);
  const plan = await api.post('/api/restore/plan', body({ destination }));
  expect(plan.body.collisions).toMatchObject({ count: 1, examples: [{ path: join(at, 'closed/inner') }] });
  expectRefusal(await api.post('/api/restore/start', { plan_id: plan.body.plan_id }), 409, /already exists/);
  expect(snapshot(destination)).toEqual(before);

  const stale = await api.post('/api/restore/plan', body({ destination, overwrite: true }));
  writeFileSync(join(at, 'new'), '');
  expectRefusal(await api.post('/api/restore/start', { plan_id: stale.body.plan_id }), 409, /changed since/);

  const done = await restore({ destination, overwrite: true });
  expect([done.status, done.error_message, done.replaced]).toEqual(['completed', null, 1]);
  expect(readFileSync(join(at, 'closed/inner'), 'utf8')).toBe('inner');
  expect(readFileSync(join(at, 'closed/other'), 'utf8')).toBe('mine');
  const again = await restore({ destination, skip_existing: true });
  expect([again.status, again.restored]).toEqual(['completed', 0]);
});

test('refuses unsuitable destinations on the host', async () => {
  const free = sshd.ownFolder('free');
  symlinkSync(free, join(sshd.home, 'link'));
  writeFileSync(join(free, 'file'), '');
  mkdirSync(join(sshd.home, 'of-root'), { mode: 0o700 });
  for (const [path, why] of [
    ['link/x', /symlink/],
    ['free/file', /not a directory/],
    ['free/file/x', /not a directory/],
    ['of-root', /cannot write/],
    ['of-root/x/y', /permission denied/],
  ] as const) {
    expectRefusal(await start({ destination: join(sshd.home, path) }), 400, why);
  }
  const own = await createRepository(api, {
    name: 'far',
    path: join(sshd.home, 'stores/far'),
    connection_id: connection.id,
    source_directories: [home.source],
  });
  for (const path of ['stores', 'stores/far', 'stores/far/data']) {
    expectRefusal(
      await start({ destination: join(sshd.home, path) }),
      400,
      new RegExp(`repository ${own.name}`),
    );
  }
  // The host is this machine: the service's own folders are on it.
  expectRefusal(await start({ destination: join(server.dataDirectory, 'x') }), 400, /data folder/);
  expectRefusal(await start({ destination: free, destination_connection_id: 4711 }), 404);
});
