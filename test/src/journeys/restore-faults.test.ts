import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, createRepository, isTerminal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { borgProcesses } from '../processes.js';
import { endedRestore, restoreJob, snapshot } from '../restore.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

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
