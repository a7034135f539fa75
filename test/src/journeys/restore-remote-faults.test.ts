import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, createRepository, expectRefusal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { killAll } from '../processes.js';
import { contentOnly, restoreEnd, snapshot } from '../restore.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, quickSetup } from '../ssh-actions.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

interface Saved {
  repository: Repository;
  archive: string;
  source: string;
}

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let connection: Connection;
let large: Saved;
let many: Saved;
let count = 0;

beforeAll(async () => {
  [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start({ smallDisk: 4 })]);
  api = await server.login();
  connection = await quickSetup(api, sshd);
  [large, many] = await Promise.all([
    archiveOf((folder) => makeRandomFiles(folder, 2, 48)),
    archiveOf((folder) => makeFiles(folder, 1500)),
  ]);
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

async function archiveOf(make: (folder: string) => void): Promise<Saved> {
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

async function begin({ repository, archive }: Saved, fields: object): Promise<number> {
  const where = { repository: repository.path, archive, destination_connection_id: connection.id };
  const answer = await api.post('/api/restore/start', { ...where, ...fields });
  expect(answer.text).toContain('"job_id"');
  return answer.body.job_id;
}

/** The working folder of the one restore that runs there, once `ready` says so. */
function working(destination: string, ready: (folder: string) => boolean): Promise<string> {
  const look = () => {
    const name = readdirSync(destination).find((each) => each.startsWith('.holdfast-restore-'));
    return name !== undefined && ready(join(destination, name)) && join(destination, name);
  };
  return waitFor(look, { what: 'the working folder', timeoutMs: 60_000, intervalMs: 5 });
}

const sending = (folder: string) =>
  existsSync(join(folder, 'tree')) && readdirSync(join(folder, 'tree')).length > 0;
const moved = (least: number) => (folder: string) =>
  existsSync(join(folder, 'aside')) && readdirSync(join(folder, 'aside')).length >= least;

/** Nothing of a restore is left, neither there nor here. */
function expectClean(destination: string): void {
  expect(readdirSync(destination).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(readdirSync(join(server.dataDirectory, 'restores'))).toEqual([]);
  expect(sshd.commands()).toEqual([]);
}

/** A folder that holds other files under the names of the archive. */
function occupied(name: string): { destination: string; at: string } {
  const destination = sshd.ownFolder(name);
  const at = sshd.ownFolder(name, archived(many.source));
  makeFiles(at, 300, 10);
  for (const folder of readdirSync(at)) {
    sshd.own(join(at, folder));
    for (const file of readdirSync(join(at, folder))) sshd.own(join(at, folder, file));
  }
  return { destination, at };
}

const complete = () => snapshot(many.source).map(contentOnly);

test('leaves the host unchanged after an interrupted or cancelled transfer', async () => {
  const destination = sshd.ownFolder('cut');
  const cut = await begin(large, { destination });
  await working(destination, sending);
  expect(sshd.killSessions()).toBeGreaterThan(0);
  const job = await restoreEnd(api, cut);
  expect([job.status, job.error_message]).toEqual([
    'failed',
    expect.stringMatching(/connection|broke|lost/i),
  ]);
  await waitFor(() => readdirSync(destination).length === 0, { what: 'a clean host', timeoutMs: 60_000 });
  expectClean(destination);

  const second = await begin(large, { destination });
  await working(destination, sending);
  const needed = await connectionActions(api, connection.id).remove();
  expectRefusal(needed, 409, /restore job/);
  expect((await api.post(`/api/restore/cancel/${second}`)).status).toBe(200);
  expect((await restoreEnd(api, second)).status).toBe('cancelled');
  expect(readdirSync(destination)).toEqual([]);
  expectClean(destination);
});

test('reports a full disk of the host and leaves it unchanged', async () => {
  const destination = join(sshd.home, 'small');
  const job = await restoreEnd(api, await begin(many, { destination }));
  expect([job.status, job.error_message]).toEqual(['failed', expect.stringMatching(/disk .* full/i)]);
  const again = await api.post('/api/restore/plan', {
    repository: many.repository.path,
    archive: many.archive,
    destination,
    destination_connection_id: connection.id,
  });
  expect(again.body).toMatchObject({ can_start: true, collisions: { count: 0 } });
});

test('continues moving files without a connection and after a kill', async () => {
  const { destination, at } = occupied('moves');
  const id = await begin(many, { destination, overwrite: true });
  await working(destination, moved(20));
  expect(sshd.killSessions()).toBeGreaterThan(0);
  const folder = await working(destination, moved(60));
  killAll(sshd.commands().filter(({ command }) => command.includes(folder)));
  const job = await restoreEnd(api, id);
  expect([job.status, job.error_message, job.replaced]).toEqual(['completed', null, 300]);
  expect(snapshot(at).map(contentOnly)).toEqual(complete());
  expectClean(destination);
});

test('restores nothing if killed while sending, and everything if killed while moving', async () => {
  const sent = sshd.ownFolder('sent');
  const { destination, at } = occupied('killed');
  const second = await begin(many, { destination, overwrite: true });
  await working(destination, moved(5));
  const first = await begin(large, { destination: sent });
  await working(sent, sending);
  await server.restart('SIGKILL');
  const untouched = await restoreEnd(api, first);
  expect([untouched.status, untouched.error_message]).toEqual([
    'failed',
    expect.stringMatching(/target is unchanged/),
  ]);
  const job = await restoreEnd(api, second);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(snapshot(at).map(contentOnly)).toEqual(complete());
  expect(readdirSync(sent)).toEqual([]);
  expectClean(destination);
});
