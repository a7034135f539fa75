/** The data folder, with the database in it, on a disk that becomes full and gets room again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, createRepository, endedJob, expectRefusal, jobOf, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';
import { HeldRepository } from './held-job.js';
import { expectSound, type SystemUnderTest } from './invariants.js';
import { noMounts, SmallDisk } from './small-disk.js';

const lines = 400;

describe.skipIf(noMounts)(noMounts ?? 'the disk of the data folder', () => {
  const workspace = makeWorkspace();
  let disk: SmallDisk;
  let server: TestServer;
  let api: Api;
  let system: SystemUnderTest;
  let held: HeldRepository;
  let plain: string;
  let archive: string;

  beforeAll(async () => {
    disk = await SmallDisk.mount(workspace.folder('data'), 24);
    server = await TestServer.start({ workspace, wrapper: disk.wrapper, env: { DATABASE_URL: undefined } });
    api = await server.login();
    const source = workspace.folder('source');
    makeFiles(source, 3_000, 10);
    plain = join(workspace.path, 'plain');
    const repository = await createRepository(api, {
      name: 'plain',
      path: plain,
      source_directories: [source],
    });
    const words = `n=0; while [ $n -lt ${lines} ]; do n=$((n+1)); echo "line $n of a script"; done`;
    held = await HeldRepository.make(api, { folder: workspace.path, source, at: 'after', says: words });
    const database = disk.database(join(server.dataDirectory, 'holdfast.db'));
    system = { server, api, database, dataDirectory: disk.seen, repository, accepted: [] };
    archive = (await backUp(api, plain)).archive_name ?? '';
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    await disk?.remove();
    await server?.remove();
  });

  const health = async () => (await server.api.get('/health')).body;
  const untilReady = (ready: boolean) =>
    waitFor(async () => (await health()).ready === ready, { what: `ready ${ready}`, timeoutMs: 40_000 });

  let fillers = 0;
  /** With the reserve, which the first change without room gives back, and the old part of the log, written anew. */
  async function fillAll() {
    for (const length of [250_000, 10])
      await waitFor(
        async () => {
          disk.fill();
          const isReserved = existsSync(join(disk.seen, 'holdfast.db-reserve'));
          const script = { name: `filler ${fillers++}`, content: 'x'.repeat(length) };
          return (await api.post('/api/scripts', script)).status === 503 && !isReserved;
        },
        { what: 'a disk without any room', intervalMs: 0 },
      );
  }

  /** Reads go on, changes are refused with the time to come again, and what the service says of itself is true. */
  async function expectFull() {
    const refused = await api.post('/api/backup/start', { repository: plain });
    expectRefusal(refused, 503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await api.get('/api/repositories/')).body.repositories).toHaveLength(2);
    await untilReady(false);
    expect((await health()).degraded.join()).toMatch(/storage plugin sqlite.*driver plugin borg/);
    const { body } = await api.get('/api/plugins');
    const problems = body.plugins.map(({ problem }: { problem: string | null }) => problem).join();
    expect(problems).toMatch(/database .* its disk is full/);
  }

  test('ends a running backup and starts nothing when only the reserve is free', async () => {
    await untilReady(true);
    const id = await held.begin(api);
    disk.fill();
    held.letGo();
    expect((await endedJob(api, id)).status).toBe('completed');
    const waiting = await waitFor(
      async () => {
        const started = await api.post('/api/backup/start', { repository: plain });
        return started.status === 200 && Number(started.body.job_id);
      },
      { what: 'a backup that waits' },
    );
    await waitFor(async () => `${(await jobOf(api, waiting)).waiting_for}`.includes('data folder'), {
      what: 'a job that waits for room',
      timeoutMs: 40_000,
    });
    disk.free();
    expect((await endedJob(api, waiting, 60_000)).status).toBe('completed');
    await untilReady(true);
    // The reserve is there again.
    await waitFor(async () => (await health()) && existsSync(join(disk.seen, 'holdfast.db-reserve')), {
      what: 'the reserve',
    });
  });

  test('writes the end and log of a backup once there is space', async () => {
    const id = await held.begin(api);
    system.accepted.push(id);
    await api.post('/api/cache/clear');
    await fillAll();
    await expectFull();
    const browse = () => api.get(`/api/archives/${archive}/contents`, { repository: plain });
    expectRefusal(await browse(), 503, /data folder|database/);
    held.letGo();
    await waitFor(() => server.log.includes('a job could not be written'), { what: 'a try to end the job' });
    expect((await jobOf(api, id)).status).toBe('running');
    disk.free();
    const job = await endedJob(api, id);
    expect([job.status, job.error_message]).toEqual(['completed', null]);
    const log = (await api.get(`/api/backup/logs/${id}/stream`, { limit: 1000 })).text;
    expect([log.includes('line 1 of'), log.includes(`line ${lines} of`)]).toEqual([true, true]);
    await waitFor(async () => (await browse()).status === 200, { what: 'the listing', timeoutMs: 60_000 });
    await untilReady(true);
    await expectSound(system);
  });

  test('waits for space after a kill, then ends or starts each job', async () => {
    const first = await held.begin(api);
    const waiting = await startBackup(api, held.repository.path);
    system.accepted.push(first, waiting);
    await fillAll();
    await server.stop('SIGKILL');
    // Without a log, as SQLite would overwrite what it has moved into the database; and what was open is free now.
    disk.free();
    await system.database.all('SELECT 1');
    expect(existsSync(join(disk.seen, 'holdfast.db-wal'))).toBe(false);
    disk.fill();
    const before = server.log.length;
    await expect(server.launch()).rejects.toThrow(/is full/);
    expect(server.log.slice(before).trim().split('\n')).toHaveLength(1);
    disk.free();
    held.letGo();
    await server.launch();
    expect((await endedJob(api, waiting)).status).toBe('completed');
    await expectSound(system);
  }, 480_000);
});
