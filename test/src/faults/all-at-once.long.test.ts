/** A mount that hangs, a full data folder and a clock that is a year ahead, all at once: Holdfast recovers on its own. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../scripts/services/movable-clock.mjs';
import { backUp, createRepository, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { DeadMount, noFuse } from '../dead-mount.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';
import { noMounts, SmallDisk } from './small-disk.js';

const [minute, hour, day] = [60, 3_600, 86_400];
/** How long all of it lasts: an hour, or what the variable says. */
const seconds = Number(process.env.HOLDFAST_ALL_AT_ONCE_SECONDS ?? hour);
const ahead = 360 * day;
const why = noFuse ?? noMounts;

describe.skipIf(why)(why ?? 'a dead mount, a full disk and a wrong clock at once', () => {
  const workspace = makeWorkspace();
  const clock = new MovableClock(workspace.path);
  let mount: DeadMount;
  let disk: SmallDisk;
  let server: TestServer;
  let api: Api;
  const repositories: Repository[] = [];

  beforeAll(async () => {
    const real = workspace.folder('real');
    makeFiles(real, 20);
    // Before the disk: its mounts are those of the moment in which it is made.
    mount = await DeadMount.of(real, workspace.folder('mounted'));
    disk = await SmallDisk.mount(workspace.folder('data'), 48);
    const env = { ...clock.environment, DATABASE_URL: undefined, ACCESS_TOKEN_EXPIRE_MINUTES: '525600' };
    server = await TestServer.start({ workspace, wrapper: disk.wrapper, env });
    api = await server.login();
    for (const [name, source] of [
      ['good', workspace.folder('source')],
      ['mounted', mount.path],
    ] as const) {
      if (name === 'good') makeFiles(source, 20);
      const path = join(workspace.path, `repository-${name}`);
      const repository = await createRepository(api, { name, path, source_directories: [source] });
      repositories.push(repository);
      await backUp(api, path);
      const cron_expression = name === 'good' ? '*/5 * * * *' : '0 2 * * *';
      const plan = { name, cron_expression, repository_ids: [repository.id] };
      expect((await api.post('/api/schedule/', plan)).status).toBe(201);
    }
    const check = { cron_expression: '0 3 * * 0' };
    await api.put(`/api/repositories/${repositories[0]?.id}/check-schedule`, check);
  });
  afterAll(async () => {
    mount?.resume();
    await server?.stop('SIGKILL');
    await mount?.remove();
    await disk?.remove();
    await server?.remove();
  });

  const setTo = (to: number) =>
    clock.set(to, async () => Date.parse((await server.api.get('/health')).headers.date ?? ''));
  const away = async (path: string, field: string) => {
    const { body } = await api.get(path);
    return (Date.parse((body.job ?? body)[field]) - clock.now()) / 1_000;
  };

  test(
    'answers, reports the faults and recovers from all of them',
    async () => {
      mount.stop();
      disk.fill();
      await setTo(ahead);
      const end = Date.now() + seconds * 1_000;
      let told = false;
      while (Date.now() < end) {
        const began = performance.now();
        expect((await api.get('/api/repositories/', { known_only: true })).status).toBe(200);
        expect((await api.get('/health')).status).toBe(200);
        expect(performance.now() - began).toBeLessThan(20_000);
        const { ready } = (await server.api.get('/health')).body;
        const { body } = await api.get('/api/incidents', { open: true });
        told ||= ready === false || (body.incidents?.length ?? 0) > 0;
        await new Promise((next) => setTimeout(next, 2_000));
      }
      expect(told).toBe(true);
      mount.resume();
      disk.free();
      await setTo(0);
      const patience = { timeoutMs: 240_000, intervalMs: 1_000 };
      await waitFor(async () => (await server.api.get('/health')).body.ready === true, {
        what: 'a service that is ready',
        ...patience,
      });
      await waitFor(async () => (await away('/api/schedule/1', 'next_run')) <= 5 * minute, {
        what: 'a plan within five minutes',
        ...patience,
      });
      await waitFor(async () => (await away('/api/schedule/2', 'next_run')) <= day, {
        what: 'a plan within a day',
        ...patience,
      });
      const plan = `/api/repositories/${repositories[0]?.id}/check-schedule`;
      await waitFor(async () => (await away(plan, 'next_scheduled_check')) <= 7 * day, {
        what: 'a check within a week',
        ...patience,
      });
      const settled = async () =>
        (await api.get('/api/jobs', { limit: 200 })).body.jobs.every(
          ({ completed_at }: { completed_at: string | null }) => completed_at !== null,
        );
      await waitFor(settled, { what: 'jobs that have ended', ...patience });
      for (const { path } of repositories) expect((await backUp(api, path)).status).toBe('completed');
    },
    3 * hour * 1_000,
  );
});
