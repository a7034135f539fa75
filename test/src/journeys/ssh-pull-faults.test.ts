import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, backUp, createRepository, endedJob, runningJob, startBackup } from '../actions.js';
import { killAll } from '../processes.js';
import { PullFixture } from '../pull-fixture.js';
import { makeEndlessFiles, makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let host: PullFixture;

beforeAll(async () => {
  host = await PullFixture.start({ env: { STALLED_PULL_SECONDS: '8', MAX_CONCURRENT_PULLS: '2' } });
});
afterAll(() => host?.remove());

/** A folder there whose backup does not end by itself. */
function endless(): string {
  const folder = host.sshd.ownFolder('endless');
  if (readdirSync(folder).length === 0) makeEndlessFiles(folder);
  return folder;
}

test.each([false, true])(
  'fails when the connection dies (trusted: %s), and backs up again',
  async (trusted) => {
    await host.actions.update({ trusted });
    const repository = await host.create(`dead-${trusted}`, { source_directories: [endless()] });
    const id = await startBackup(host.api, repository.path);
    await runningJob(host.api, id);
    expect(host.sshd.killSessions()).toBeGreaterThan(0);
    const job = await endedJob(host.api, id, 60_000);
    expect(job.status).toBe('failed');
    expect(job.error_message).toMatch(/connection|closed|lost/i);
    expect(await archivesOf(host.api, repository.path)).toEqual([]);
    await waitFor(() => host.sshd.commands().length === 0, {
      what: 'the end of the session',
      timeoutMs: 60_000,
    });
    await host.api.put(`/api/repositories/${repository.id}`, { source_directories: [host.tree] });
    const next = await backUp(host.api, repository.path);
    expect([next.status, next.error_message]).toEqual(['completed', null]);
    await host.actions.update({ trusted: false });
  },
);

test('ends pulls of two hanging hosts without delaying local backups', async () => {
  const pulls = await Promise.all(
    [1, 2].map(async (n) => {
      const { path } = await host.create(`hanging-${n}`, { source_directories: [endless()] });
      return startBackup(host.api, path);
    }),
  );
  await Promise.all(pulls.map((id) => runningJob(host.api, id)));
  const sending = () => host.sshd.commands().filter(({ command }) => /^tar .*endless/.test(command));
  const hung = new Set<number>();
  const hang = () => {
    for (const { pid } of sending()) process.kill(pid, 'SIGSTOP') && hung.add(pid);
    return hung.size === 2;
  };
  await waitFor(hang, { what: 'tar on the host', timeoutMs: 60_000, intervalMs: 10 });
  const source = host.server.workspace.folder('local source');
  makeFiles(source, 3);
  const path = join(host.server.workspace.path, 'stores', 'local');
  await createRepository(host.api, { name: 'local', path, source_directories: [source] });
  expect((await backUp(host.api, path)).status).toBe('completed');
  for (const id of pulls) {
    const job = await endedJob(host.api, id, 60_000);
    expect([job.status, job.error_message]).toEqual([
      'failed',
      expect.stringMatching(/sent nothing for 8 s \(STALLED_PULL_SECONDS\)/),
    ]);
  }
  killAll(sending());
});

test('ends a cancelled pull on the host too', async () => {
  const repository = await host.create('cancelled', { source_directories: [endless()] });
  const id = await startBackup(host.api, repository.path);
  await runningJob(host.api, id);
  expect((await host.api.post(`/api/backup/cancel/${id}`)).status).toBe(200);
  expect((await endedJob(host.api, id, 20_000)).status).toBe('cancelled');
  await waitFor(() => host.sshd.commands().length === 0, {
    what: 'the end of the session',
    timeoutMs: 60_000,
  });
  expect(await archivesOf(host.api, repository.path)).toEqual([]);
});

test('fails without its source connection and never saves the local machine instead', async () => {
  const repository = await host.create('orphan');
  expect((await host.actions.remove()).status).toBe(200);
  const answer = await host.api.post('/api/backup/start', { repository: repository.path });
  if (answer.status === 200) {
    const job = await endedJob(host.api, answer.body.job_id);
    expect(job).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/connection/) });
  } else {
    expect(answer.body.detail).toMatch(/connection/);
  }
  expect(await archivesOf(host.api, repository.path)).toEqual([]);
});
