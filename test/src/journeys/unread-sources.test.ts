/** What a backup can't read below its sources: retention keeps the last archive with it, and the overview tells. */
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archivesOf, createRepository, endedJob, type Job, jobOf, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { DeadMount, noFuse } from '../dead-mount.js';
import { PullFixture } from '../pull-fixture.js';
import { waitFor } from '../wait-for.js';

let host: PullFixture;
let api: Api;
beforeAll(async () => {
  host = await PullFixture.start();
  ({ api } = host);
}, 120_000);
afterAll(() => host?.remove());

const keepOne = {
  run_prune_after: true,
  prune_keep_daily: 1,
  prune_keep_weekly: 0,
  prune_keep_monthly: 0,
  prune_keep_yearly: 0,
};

/** A schedule that keeps one archive, and a run of it with its retention. */
async function scheduleOf({ id, name }: Repository): Promise<() => Promise<Job>> {
  const settings = { name, cron_expression: '0 2 * * *', repository_ids: [id], ...keepOne };
  const { body } = await api.post('/api/schedule/', settings);
  return async () => {
    const run = await api.post(`/api/schedule/${body.job.id}/run-now`, {});
    const job = await endedJob(api, run.body.job_ids[0]);
    await waitFor(
      async () => {
        const { maintenance_status: state } = (await jobOf(api, job.id)) as Job & {
          maintenance_status: string;
        };
        return state === null || /completed|failed|skipped/.test(state);
      },
      { what: 'the end of the retention' },
    );
    return job;
  };
}

const protectionOf = async ({ id }: Repository) => {
  const { body } = await api.get('/api/system/protection');
  return body.repositories.find((each: { id: number }) => each.id === id);
};
const attentionTo = async ({ id }: Repository): Promise<string[]> => {
  const { body } = await api.get('/api/overview');
  const isIt = ({ object }: { object: { kind: string; id: number } }) =>
    object.kind === 'repository' && object.id === id;
  return body.attention.filter(isIt).map(({ text }: { text: string }) => text);
};
const namesOf = async ({ path }: Repository) => (await archivesOf(api, path)).map(({ name }) => name);

describe.each([
  ['tar', false],
  ['borg on the host', true],
])('a folder of a host that is no longer readable by %s', (way, trusted) => {
  test('keeps the last archive with it and is reported', async () => {
    await host.actions.update({ trusted });
    const name = way.replaceAll(' ', '-');
    const folder = host.sshd.ownFolder(name);
    writeFileSync(join(folder, 'plain'), '1');
    const closed = host.sshd.ownFolder(name, 'closed');
    writeFileSync(join(closed, 'precious'), '2');
    const repository = await host.create(name, { source_directories: [folder] });
    const run = await scheduleOf(repository);
    const first = await run();
    expect(first.status).toBe('completed');
    chmodSync(closed, 0);
    const second = await run();
    expect(second).toMatchObject({
      status: 'completed_with_warnings',
      error_message: expect.stringContaining(closed),
    });
    const third = await run();
    expect((await namesOf(repository)).sort()).toEqual([first.archive_name, third.archive_name].sort());
    const reasons = (await protectionOf(repository)).reasons.join(' ');
    expect(reasons).toMatch(/could not read 1 files or folders/);
    expect(await attentionTo(repository)).toContainEqual(expect.stringMatching(/could not read/));
    chmodSync(closed, 0o700);
    if (!trusted) return;
    const last = await run();
    expect(last.status).toBe('completed');
    expect(await namesOf(repository)).toEqual([last.archive_name]);
    expect((await protectionOf(repository)).reasons.join(' ')).not.toMatch(/could not read/);
  }, 480_000);
});

describe.skipIf(noFuse)(noFuse ?? 'a mount below a source', () => {
  test('pauses pruning like a missing source when the connection dies', async () => {
    const folder = realpathSync(host.server.workspace.folder('local'));
    for (const name of ['real', 'source/net']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'source/plain'), '1');
    writeFileSync(join(folder, 'real/precious'), '2');
    const mount = await DeadMount.of(join(folder, 'real'), join(folder, 'source/net'));
    try {
      const path = join(folder, 'store');
      const sources = { source_directories: [join(folder, 'source')] };
      const repository = await createRepository(api, { name: 'below', path, ...sources });
      const run = await scheduleOf(repository);
      const first = await run();
      await mount.kill();
      const second = await run();
      expect(second.status).toBe('completed_with_warnings');
      expect((await namesOf(repository)).sort()).toEqual([first.archive_name, second.archive_name].sort());
      const { reasons } = await protectionOf(repository);
      expect(reasons.join(' ')).toMatch(/does not count/);
      const net = join(folder, 'source/net');
      expect(await attentionTo(repository)).toContainEqual(expect.stringContaining(net));
    } finally {
      await mount.remove();
    }
  }, 480_000);
});
