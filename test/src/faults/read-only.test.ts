/** The data folder on a file system that is mounted read-only and writable again: root, too, can't write there then. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, createRepository, expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';
import { expectSound, type SystemUnderTest } from './invariants.js';
import { noMounts, SmallDisk } from './small-disk.js';

describe.skipIf(noMounts)(noMounts ?? 'a read-only data folder', () => {
  const workspace = makeWorkspace();
  let disk: SmallDisk;
  let server: TestServer;
  let api: Api;
  let system: SystemUnderTest;
  let path: string;

  beforeAll(async () => {
    disk = await SmallDisk.mount(workspace.folder('data'), 32);
    // The database is elsewhere: its open files would keep the file system from being made read-only.
    const DATABASE_URL = `sqlite://${join(workspace.folder('database'), 'holdfast.db')}`;
    server = await TestServer.start({ workspace, wrapper: disk.wrapper, env: { DATABASE_URL } });
    api = await server.login();
    const source = workspace.folder('source');
    makeFiles(source, 50);
    path = join(workspace.path, 'repository');
    const repository = await createRepository(api, { name: 'r', path, source_directories: [source] });
    const database = disk.database(join(workspace.path, 'database', 'holdfast.db'));
    system = { server, api, database, dataDirectory: disk.seen, repository, accepted: [] };
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    await disk?.remove();
    await server?.remove();
  });

  const health = async () => (await server.api.get('/health')).body;
  const untilDegraded = (count: number) =>
    waitFor(async () => (await health()).degraded.length === count && health(), {
      what: `${count} words on what is not well`,
      timeoutMs: 60_000,
    });

  test('fails jobs with the reason, still reads, and reports it in health', async () => {
    const archive = (await backUp(api, path)).archive_name ?? '';
    disk.remount('ro');
    const { ready, degraded } = await untilDegraded(1);
    expect([ready, degraded]).toEqual([true, [expect.stringContaining('driver plugin borg')]]);
    const { body } = await api.get('/api/plugins');
    expect(body.plugins).toContainEqual(
      expect.objectContaining({
        id: 'borg',
        problem: expect.stringMatching(/can't be written to \(EROFS\)/),
      }),
    );
    const job = await backUp(api, path);
    expect([job.status, job.error_message]).toEqual([
      'failed',
      expect.stringMatching(/read-only|may not write/i),
    ]);
    expect(job.error_message).not.toContain('Traceback');
    expect((await api.get('/api/archives/list', { repository: path })).body.archives).toHaveLength(1);
    const browse = await api.get(`/api/archives/${archive}/contents`, { repository: path });
    expectRefusal(browse, 503);
    const created = await api.post('/api/repositories/', {
      name: 'new',
      path: join(workspace.path, 'new'),
      passphrase: 'a passphrase',
      source_directories: [join(workspace.path, 'source')],
    });
    expectRefusal(created, created.status === 400 ? 400 : 503, /writ|read-only/);
  });

  test('recovers automatically when it is writable again', async () => {
    disk.remount('rw');
    await untilDegraded(0);
    await expectSound(system);
  });

  test('refuses to start on it with one sentence', async () => {
    expect(await server.stop()).toBe(0);
    const before = server.log.length;
    disk.remount('ro');
    await expect(server.launch()).rejects.toThrow(/DATA_DIR .*can't be written \(EROFS\)/);
    expect(server.log.slice(before).trim().split('\n')).toHaveLength(1);
    disk.remount('rw');
    await server.launch();
    await expectSound(system);
  });
});
