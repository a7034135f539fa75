/** Work at the sources of a host that ends in the middle of a dump. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { backUp, endedJob, jobOf, startBackup } from '../actions.js';
import { type SourceHost, startSourceHost } from '../source-host.js';
import { waitFor } from '../wait-for.js';

let postgres: SourceHost['postgres'];
let host: SourceHost['host'];
let repository: SourceHost['repository'];
let appRuns: SourceHost['appRuns'];
let isReleased: SourceHost['isReleased'];
let expectWhole: SourceHost['expectWhole'];
let sources: SourceHost;
/** Their dump is larger than the buffer of a pipe. */
const rows = 300_000;

beforeAll(async () => {
  sources = await startSourceHost(rows);
  ({ postgres, host, repository, appRuns, isReleased, expectWhole } = sources);
});
afterAll(() => sources?.remove());
afterEach(() => postgres?.signal('SIGCONT'));

const mostUnread = 1_000_000;
/** Bytes that a process wrote so far; 0 if it is gone. */
function written(pid: number): number {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}

/** Starts a backup, and stops the database server once a part of its dump has been sent. */
async function stuckInDump(): Promise<number> {
  const id = await startBackup(host.api, repository.path);
  const hasSent = () =>
    host.sshd
      .commands()
      .some(({ pid, command }) => /^\S*pg_dump -Fc/.test(command) && written(pid) > mostUnread);
  await waitFor(hasSent, { what: 'a part of the dump', intervalMs: 10 });
  await postgres.freeze();
  expect(appRuns()).toBe(false);
  return id;
}

/** Also those that the tool made on the way. */
const stored = () => host.borg(['list', '--short', '--consider-checkpoints', repository.path]).trim();

test('releases within 60 s after kill -9, and keeps no half dump', async () => {
  const before = stored();
  const id = await stuckInDump();
  await host.server.stop('SIGKILL');
  await host.server.launch();
  await waitFor(isReleased, { what: 'the release', timeoutMs: 60_000 });
  expect(await endedJob(host.api, id)).toMatchObject({
    status: 'failed',
    error_message: expect.stringMatching(/restart|stopped/i),
  });
  expect(stored()).toBe(before);
  postgres.signal('SIGCONT');
  await expectWhole(await backUp(host.api, repository.path));
});

test('fails when the connection is lost, and releases once the host answers', async () => {
  const before = stored();
  const id = await stuckInDump();
  await host.sshd.stop();
  const job = await endedJob(host.api, id);
  expect(job.status).toBe('failed');
  expect(job.error_message).toMatch(/connection/i);
  expect(job.error_message).toContain('could not be released, and is tried again');
  expect(appRuns()).toBe(false);
  expect(stored()).toBe(before);
  postgres.signal('SIGCONT');
  const next = await startBackup(host.api, repository.path);
  const waits = async () => (await jobOf(host.api, next)).waiting_for;
  expect(await waitFor(waits, { what: 'the next backup to wait' })).toBe(
    `the release of app after backup job ${id}`,
  );
  await host.sshd.launch();
  await expectWhole(await endedJob(host.api, next));
});
