/** Network drives whose server is gone: what is on them hangs, and nothing else does. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  backUp,
  createRepository,
  endedJob,
  expectRefusal,
  jobOf,
  type Repository,
  startBackup,
} from '../actions.js';
import type { Answer, Api } from '../api.js';
import { DeadMount, noFuse } from '../dead-mount.js';
import { pick, samplesOf } from '../metrics.js';
import { borgProcesses, unkillableChildren } from '../processes.js';
import { adminPassword, TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

describe.skipIf(noFuse)(noFuse ?? 'a file system that does not answer', () => {
  let server: TestServer;
  let api: Api;
  let folder: string;
  let mounts: DeadMount[] = [];
  const at = (...names: string[]) => join(folder, ...names);
  const repositories: Record<string, Repository> = {};

  beforeAll(async () => {
    server = await TestServer.start({ env: { MAX_CONCURRENT_JOBS: '2' } });
    api = await server.login();
    folder = realpathSync(server.workspace.folder('places'));
    for (const name of ['a', 'b', 'c', 'd', 'stores']) mkdirSync(at('real', name), { recursive: true });
    for (const name of ['one/net', 'two/net', 'alive', 'nas']) mkdirSync(at(name), { recursive: true });
    for (const name of ['real/a', 'one', 'two', 'alive']) writeFileSync(at(name, 'file'), 'content');
  }, 120_000);
  afterEach(async () => {
    await Promise.all(mounts.map((mount) => mount.remove()));
    mounts = [];
  });
  afterAll(() => server?.remove());

  async function mount(made: Promise<DeadMount>): Promise<DeadMount> {
    mounts.push(await made);
    return mounts.at(-1) as DeadMount;
  }
  const make = async (name: string, path: string, ...sources: string[]) => {
    repositories[name] = await createRepository(api, { name, path, source_directories: sources });
  };
  const pathOf = (name: string) => repositories[name]?.path ?? '';

  /** A password needs the pool of threads, and the list the database. */
  async function expectAlive(): Promise<void> {
    const begun = performance.now();
    await server.login('admin', adminPassword);
    expect((await api.get('/api/repositories/')).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(8_000);
  }

  test('is reported wherever it is used, and delays nothing else', async () => {
    const nas = await mount(DeadMount.of(at('real'), at('nas')));
    await make('there', at('nas', 'stores', 'there'), at('alive'));
    await make('from there', at('from-there'), at('nas', 'a'));
    await make('partly', at('partly'), at('nas', 'a'), at('alive'));
    for (const name of ['there', 'from there', 'partly']) await backUp(api, pathOf(name));
    const archives = await api.get('/api/archives/list', { repository: pathOf('from there') });
    const archive = archives.body.archives[0].name;
    nas.stop();
    const folders = ['a', 'b', 'c', 'd'].map((name) => at('nas', name));
    const restore = { repository: pathOf('from there'), archive, paths: [at('nas', 'a').slice(1)] };
    const disks = await api.get('/api/filesystem/disks');
    const silent = disks.body.disks.find(({ mount }: { mount: string }) => mount === at('nas'));
    expect(silent).toMatchObject({ free_bytes: null });
    const looks: Promise<Answer>[] = [
      api.post('/api/preflight', { source_directories: folders, path: at('nas', 'new') }),
      api.post('/api/backup/start', { repository: pathOf('from there') }),
      api.post(`/api/repositories/${repositories.there?.id}/test`, {}),
      api.post('/api/restore/plan', { ...restore, destination: at('nas', 'c') }),
      ...['a', 'b'].map((name) => api.get('/api/filesystem/browse', { path: at('nas', name) })),
    ];
    const walk = await api.post('/api/repositories/discover', { path: folder, depth: 3 });
    const jobs = [await startBackup(api, pathOf('there')), await startBackup(api, pathOf('partly'))];
    await expectAlive();
    const [preflight, ...others] = (await Promise.all(looks)) as [Answer, ...Answer[]];
    await expectAlive();
    expect(preflight.status).toBe(200);
    expect(preflight.body.complete).toBe(false);
    const warnings = preflight.body.warnings.map(({ text }: { text: string }) => text);
    for (const path of folders)
      expect(warnings).toContainEqual(expect.stringContaining(`${path} does not respond`));
    for (const answer of others) expect(answer.text).toMatch(/does not respond/);
    for (const answer of [others[0], others[2], others[3]])
      expectRefusal(answer as Answer, 503, /does not respond/);
    const [there, partly] = await Promise.all(jobs.map((id) => endedJob(api, id)));
    expect(there).toMatchObject({
      status: 'failed',
      error_message: expect.stringMatching(/does not respond/),
    });
    expect(partly).toMatchObject({
      status: 'completed_with_warnings',
      error_message: expect.stringMatching(/nas\/a does not respond/),
    });
    const look = async () => {
      const { body } = await api.get(`/api/repositories/discover/${walk.body.job_id}`);
      return body.status !== 'running' && body.status !== 'pending' && body;
    };
    const found = await waitFor(look, { what: 'the end of a discovery' });
    expect(found.status).toMatch(/^completed/);
    expect(found.unreadable).toBeGreaterThan(0);
    nas.resume();
    await waitFor(
      async () => (await api.get('/api/filesystem/browse', { path: at('nas', 'a') })).status === 200,
      {
        what: 'the folder of a mount that is back',
        timeoutMs: 60_000,
      },
    );
    // Every path of the mount is back with the first.
    expect(await backUp(api, pathOf('there'))).toMatchObject({ status: 'completed', error_message: null });
  }, 240_000);

  const leftBehind = async () => {
    const { text } = await server.api.request('GET', '/metrics', { token: null });
    return Number(pick(samplesOf(text), 'left_behind_processes')[0]?.[1]);
  };

  test('allows cancelling a hanging job whose tool cannot be killed, and runs others', async () => {
    await make('one', at('store-one'), at('one'));
    await make('two', at('store-two'), at('two'));
    await make('alive', at('store-alive'), at('alive'));
    for (const name of ['one', 'two']) await mount(DeadMount.silent(at(name, 'net')));
    const hanging = [await startBackup(api, pathOf('one')), await startBackup(api, pathOf('two'))];
    const tools = () => borgProcesses(folder).filter(({ pid }) => mounts.some(({ asked }) => asked.has(pid)));
    await waitFor(() => tools().length === hanging.length, { what: 'tools that wait for the mounts' });
    const waiting = await startBackup(api, pathOf('alive'));
    await waitFor(async () => (await jobOf(api, waiting)).waiting_for?.includes('free job slot'), {
      what: 'a job without a place',
    });
    await Promise.all(hanging.map((id) => api.post(`/api/backup/cancel/${id}`, {})));
    const ended = await Promise.all(hanging.map((id) => endedJob(api, id, 60_000)));
    expect(ended.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect((await endedJob(api, waiting)).status).toBe('completed');
    await expectAlive();
    expect(tools().map(({ state }) => state)).toEqual(['D', 'D']);
    // Besides them what looked at the mounts before.
    const unkillable = () => unkillableChildren(server.pid).length;
    await waitFor(async () => (await leftBehind()) === unkillable(), {
      what: 'a count of what is left behind',
    });
    await Promise.all(mounts.map((mount) => mount.remove()));
    await waitFor(async () => (await leftBehind()) === 0, { what: 'the end of what was left behind' });
    expect(tools()).toEqual([]);
  }, 180_000);
});
