import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archived, backUp, createRepository, isTerminal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { borgPython } from '../hostile/borg-python.js';
import { borgProcesses } from '../processes.js';
import { endedRestore, restoreJob, snapshot } from '../restore.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

const lyingSizes = fileURLToPath(new URL('../hostile/lying-sizes.py', import.meta.url));

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
  });
  api = await server.login();
  slow = await archiveOf((folder) => makeRandomFiles(folder, 8, 64));
});
afterAll(() => server?.remove());

async function archiveOf(
  make: (folder: string) => void,
): Promise<{ repository: Repository; archive: string; source: string }> {
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

/** Whether nothing is in a folder of the disk that only the service sees. */
const namesOnDisk = (folder: string) => readdirSync(join('/proc', `${server.pid}`, 'root', folder));

test('predicts a lack of space, and leaves nothing on a disk that fills up', async () => {
  const large = await archiveOf((folder) => makeRandomFiles(folder, 5, 13));
  const asked = { repository: large.repository.path, archive: large.archive, destination: disk };
  const plan = await api.post('/api/restore/plan', asked);
  expect(plan.body.can_start).toBe(false);
  expect(plan.body.obstacles.join()).toMatch(/needs .* free/);
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

test('leaves the destination unchanged and no process after a cancel', async () => {
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

describe('an archive with wrong sizes', () => {
  const forged = async (times: number) => {
    const source = server.workspace.folder(`lying-${times}`);
    makeRandomFiles(source, 1, 4);
    renameSync(join(source, 'random-0.bin'), join(source, 'liar'));
    writeFileSync(join(source, 'honest'), 'honest');
    const path = join(server.workspace.path, `forged-${times}`);
    const env = {
      PATH: process.env.PATH,
      BORG_BASE_DIR: server.workspace.folder(`forged-base-${times}`),
      TIMES: `${times}`,
      BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
    };
    execFileSync('borg', ['init', '--encryption=none', path], { env });
    // One chunk per file, whatever its content: the listing gives away a small file with many of them.
    const whole = '--chunker-params=fixed,4194304';
    execFileSync(borgPython(), [lyingSizes, 'create', whole, `${path}::a`, source], { env });
    const imported = await api.post('/api/repositories/import', {
      name: `forged-${times}`,
      path,
      mode: 'observe',
    });
    expect(imported.status).toBe(201);
    const { body } = await api.get('/api/repositories');
    const { id } = body.repositories.find(({ name }: { name: string }) => name === `forged-${times}`);
    return { repository_id: id as number, archive: 'a', liar: archived(join(source, 'liar')) };
  };

  test('skips a file with more chunks than its size and restores the rest', async () => {
    const { repository_id, archive, liar } = await forged(200);
    const destination = join(disk, 'forged');
    const plan = await api.post('/api/restore/plan', { repository_id, archive, destination });
    expect(plan.body).toMatchObject({ can_start: true, files: 2, damaged_files: 1 });
    const { plan_id } = plan.body;
    const job = await endedRestore(api, await api.post('/api/restore/start', { plan_id }));
    expect(job).toMatchObject({ status: 'completed_with_warnings', restored_bytes: 6 });
    const asked = { repository_id, archive, file_path: liar };
    expect((await api.get('/api/archives/download', asked)).status).toBe(409);
    expect((await api.get('/api/archives/download', { ...asked, format: 'tar' })).status).toBe(409);
  });

  test('ends when more is written than the listing says', async () => {
    const { repository_id, archive, liar } = await forged(2);
    const destination = join(disk, 'ended');
    const job = await endedRestore(
      api,
      await api.post('/api/restore/start', { repository_id, archive, destination }),
    );
    expect(job).toMatchObject({ status: 'failed', error_message: expect.stringContaining('more data') });
    expect(namesOnDisk(disk)).not.toContain('ended');
    const drill = await api.post(`/api/repositories/${repository_id}/drill`, {});
    const drilled = async () => {
      const { job } = (await api.get(`/api/jobs/${drill.body.job_id}`)).body;
      return isTerminal(job) && job;
    };
    const ended = await waitFor(drilled, { what: 'the end of the drill', timeoutMs: 60_000 });
    expect(ended).toMatchObject({ status: 'failed', error_message: expect.stringContaining('1 of 2 files') });
    const asked = { repository_id, archive, file_path: liar };
    expect((await api.get('/api/archives/download', asked)).status).toBeGreaterThanOrEqual(400);
  });
});
