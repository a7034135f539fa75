import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, createRepository, isTerminal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { borgProcesses } from '../processes.js';
import { endedRestore, restoreEnd, restoreJob, snapshot } from '../restore.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

const points = 10;
/** Takes the tool seconds to bring back. */
let slow: Awaited<ReturnType<typeof archiveOf>>;
let server: TestServer;
let api: Api;
let disk: string;
let count = 0;

beforeAll(async () => {
  const workspace = makeWorkspace();
  disk = workspace.folder('disk');
  // A disk that only this service sees; it has room for the bytes of many files, but not for their names.
  const mount = `mount -t tmpfs -o size=60m,nr_inodes=150 tmpfs '${disk}' && exec "$@"`;
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  server = await TestServer.start({
    workspace,
    wrapper: ['unshare', ...namespace, 'sh', '-c', mount, 'sh'],
    env: { MAX_CONCURRENT_JOBS: `${points + 1}` },
  });
  api = await server.login();
  slow = await archiveOf((folder) => makeRandomFiles(folder, 6, 64));
});
afterAll(() => server?.remove());

async function archiveOf(
  make: (folder: string) => void,
): Promise<{ repository: Repository; archive: string; source: string }> {
  count += 1;
  const source = server.workspace.folder(`source-${count}`);
  make(source);
  const repository = await createRepository(api, {
    ...{ name: `r${count}`, path: join(server.workspace.path, `r${count}`), source_directories: [source] },
  });
  const job = await backUp(api, repository.path);
  expect(job.status).toBe('completed');
  return { repository, archive: job.archive_name ?? '', source };
}

/** Whether nothing is in a folder of the disk that only the service sees. */
const namesOnDisk = (folder: string) => readdirSync(join('/proc', `${server.pid}`, 'root', folder));

test('a target that is too small is told by the plan; one that becomes full leaves nothing behind', async () => {
  const large = await archiveOf((folder) => makeRandomFiles(folder, 5, 13));
  const asked = { repository: large.repository.path, archive: large.archive, destination: disk };
  const plan = await api.post('/api/restore/plan', asked);
  expect(plan.body.can_start).toBe(false);
  expect(plan.body.obstacles.join()).toMatch(/needed .* free/);
  const refused = await endedRestore(api, await api.post('/api/restore/start', asked));
  expect([refused.status, refused.error_message]).toEqual(['failed', expect.stringMatching(/free/)]);

  const many = await archiveOf((folder) => makeFiles(folder, 400));
  const full = await endedRestore(
    api,
    await api.post('/api/restore/start', {
      repository: many.repository.path,
      archive: many.archive,
      destination: disk,
    }),
  );
  expect([full.status, full.error_message]).toEqual(['failed', expect.stringMatching(/disk .* full/)]);
  expect(namesOnDisk(disk)).toEqual([]);
});

test('a restore that is cancelled half-way leaves the target as it was, and no process', async () => {
  const { repository, archive, source } = slow;
  const destination = server.workspace.folder('cancelled');
  writeFileSync(join(destination, 'mine'), 'mine');
  const before = snapshot(destination);
  const started = await api.post('/api/restore/start', { repository: repository.path, archive, destination });
  const id = started.body.job_id as number;
  const look = async () => {
    const job = await restoreJob(api, id);
    if (isTerminal(job)) throw new Error(`too early: ${job.status} ${job.error_message}`);
    return job.progress > 5 && job;
  };
  const running = await waitFor(look, { what: 'progress', timeoutMs: 30_000, intervalMs: 20 });
  expect(running.progress_details.current_file).toContain(archived(source));
  const cancelled = await api.post(`/api/restore/cancel/${id}`);
  expect(cancelled.body.process_terminated).toBe(true);
  const job = await endedRestore(api, started);
  expect(job.status).toBe('cancelled');
  expect(snapshot(destination)).toEqual(before);
  expect(borgProcesses(server.workspace.path)).toEqual([]);
  expect((await api.post(`/api/restore/cancel/${id}`)).status).toBe(400);
});

test('SIGKILL at ten points: each target is as it was or complete, and the restart says which', async () => {
  const { repository, archive, source } = await archiveOf((folder) => makeFiles(folder, 400, 2000));
  const complete = snapshot(source).map(contentOnly);
  const targets = Array.from({ length: points }, (_, index) => {
    const destination = server.workspace.folder(`killed-${index}`);
    const at = join(destination, archived(source));
    mkdirSync(at, { recursive: true });
    makeFiles(at, 400, 10);
    return { destination, at, before: snapshot(at).map(contentOnly) };
  });
  const start = async (fields: object) =>
    (await api.post('/api/restore/start', fields)).body.job_id as number;
  const ids: number[] = [];
  for (const { destination } of targets) {
    ids.push(await start({ repository: repository.path, archive, destination, overwrite: true }));
    await pause(150);
  }
  const late = server.workspace.folder('killed-late');
  const lateId = await start({ repository: slow.repository.path, archive: slow.archive, destination: late });
  const status = async (id: number) => (await restoreJob(api, id)).status;
  await waitFor(async () => (await Promise.all(ids.map(status))).includes('completed'), {
    ...{ what: 'the end of the first restore', timeoutMs: 90_000, intervalMs: 20 },
  });
  await waitFor(async () => (await restoreJob(api, lateId)).progress_message === 'Extracting', {
    ...{ what: 'the begin of the last restore', timeoutMs: 30_000, intervalMs: 20 },
  });
  await server.restart('SIGKILL');
  const jobs = await Promise.all(ids.map((id) => restoreEnd(api, id)));
  for (const [index, { destination, at, before }] of targets.entries()) {
    const job = jobs[index];
    const expected = job.status === 'completed' ? complete : before;
    expect(snapshot(at).map(contentOnly), `${job.status} ${job.error_message}`).toEqual(expected);
    expect(readdirSync(destination).filter((name) => name.startsWith('.'))).toEqual([]);
    if (job.status !== 'completed') expect(job.error_message).toMatch(/target is as it was/);
  }
  const last = await restoreEnd(api, lateId);
  expect([last.status, last.error_message]).toEqual(['failed', expect.stringMatching(/target is as it was/)]);
  expect(readdirSync(late)).toEqual([]);
  expect(borgProcesses(server.workspace.path)).toEqual([]);
});

/** Name, size and content: the attributes of directories that were there are their own. */
const contentOnly = (line: string): string => {
  const [name, , , , , , size, content] = JSON.parse(line) as unknown[];
  return JSON.stringify([name, size, content]);
};
