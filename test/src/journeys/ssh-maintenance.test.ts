import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, archivesOf, backUp, createRepository, download, type Repository } from '../actions.js';
import type { Answer, Api } from '../api.js';
import { endedMaintenance } from '../maintenance.js';
import { endedRestore } from '../restore.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, quickSetup } from '../ssh-actions.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let source: string;
let connection: Connection;
let repository: Repository;
let newest: string;

beforeAll(async () => {
  [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start({ hostKeyTypes: ['ed25519'] })]);
  api = await server.login();
  connection = await quickSetup(api, sshd);
  source = server.workspace.folder('source');
  makeFiles(source, 20);
  repository = await createRepository(api, {
    name: 'there',
    path: join(sshd.home, 'r'),
    connection_id: connection.id,
    source_directories: [source],
  });
  for (let count = 1; count <= 2; count++) {
    const job = await backUp(api, repository.path);
    expect([job.status, job.error_message]).toEqual(['completed', null]);
    newest = job.archive_name ?? '';
  }
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const post = (what: string, body?: object) => api.post(`/api/repositories/${repository.id}/${what}`, body);
const keepOne = { keep_daily: 1, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0 };
const restoreTo = (destination: string) => ({
  repository: repository.path,
  archive: newest,
  destination,
});
const file = join('dir-0000', 'file-000003.txt');

test('is checked, restored, pruned and compacted as a local one', async () => {
  const checked = await endedMaintenance(api, 'check', await post('check'));
  expect(checked).toMatchObject({ status: 'completed', problems_found: false });

  const destination = join(server.workspace.path, 'restored');
  const plan = await api.post('/api/restore/plan', restoreTo(destination));
  expect(plan.body).toMatchObject({ can_start: true });
  const restored = await endedRestore(api, await api.post('/api/restore/start', restoreTo(destination)));
  expect([restored.status, restored.error_message]).toEqual(['completed', null]);
  expect(readFileSync(join(destination, source, file))).toEqual(readFileSync(join(source, file)));

  const pruned = await post('prune', keepOne);
  expect(pruned.body).toMatchObject({ success: true, status: 'completed' });
  expect((await archivesOf(api, repository.path)).map(({ name }) => name)).toEqual([newest]);
  const compacted = await endedMaintenance(api, 'compact', await post('compact'));
  expect([compacted.status, compacted.error_message]).toEqual(['completed', null]);
});

test('breaks a stale lock on the host', async () => {
  const lock = join(sshd.home, 'r', 'lock.exclusive');
  mkdirSync(lock);
  sshd.own(lock);
  writeFileSync(join(lock, 'other-machine@1.4711-0'), '');
  const broken = await post('break-lock');
  expect(broken.body).toMatchObject({ success: true });
  expect(readdirSync(join(sshd.home, 'r'))).not.toContain('lock.exclusive');
  expect((await backUp(api, repository.path)).status).toBe('completed');
});

test('refuses everything with both fingerprints after a host key change', async () => {
  const before = await sshd.fingerprint();
  await sshd.exchangeHostKeys();
  const both = [before, await sshd.fingerprint()];
  const destination = join(server.workspace.path, 'never');
  const refused = (what: string, text: string) => {
    for (const fingerprint of both) expect(`${what}: ${text}`).toContain(fingerprint);
  };

  for (const kind of ['check', 'compact'] as const) {
    const job = await endedMaintenance(api, kind, await post(kind));
    expect([kind, job.status]).toEqual([kind, 'failed']);
    refused(kind, job.error_message);
  }
  const pruned = await post('prune', { ...keepOne, dry_run: true });
  expect(pruned.body).toMatchObject({ success: false, status: 'failed' });
  refused('prune', pruned.body.message);
  const repaired = await endedMaintenance(
    api,
    'check',
    await post('repair', { confirm_name: repository.name }),
  );
  expect(repaired.status).toBe('failed');
  refused('repair', repaired.error_message);

  const place = { repository: repository.path, archive: newest, path: archived(join(source, file)) };
  const direct: Record<string, Answer> = {
    'break-lock': await post('break-lock'),
    'another path': await api.put(`/api/repositories/${repository.id}`, { path: join(sshd.home, 'moved') }),
    plan: await api.post('/api/restore/plan', restoreTo(destination)),
    download: await download(api, place),
  };
  for (const [what, answer] of Object.entries(direct)) {
    expect([what, answer.status]).toEqual([what, 409]);
    refused(what, answer.body.detail);
  }
  const started = await api.post('/api/restore/start', restoreTo(destination));
  if (started.status === 200) refused('restore', (await endedRestore(api, started)).error_message);
  else refused('restore', started.body.detail);
  expect(readdirSync(server.workspace.path)).not.toContain('never');

  const actions = connectionActions(api, connection.id);
  expect((await actions.acceptHostKey(both[1] ?? '')).status).toBe(200);
  expect((await download(api, place)).bytes).toEqual(readFileSync(join(source, file)));
});
