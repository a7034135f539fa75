import { expect } from 'vitest';
import { backUp, endedJob, passphrase, type Repository } from '../actions.js';
import { brokenIn } from '../invariants/invariants.js';
import { type Installation, survey } from '../invariants/survey.js';
import type { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

/** What a test of faults has, and what it knows of it. */
export interface SystemUnderTest extends Pick<Installation, 'api' | 'database' | 'now'> {
  server: TestServer;
  /** Where the data folder is seen, if not at its own place. */
  dataDirectory?: string;
  /** Who writes, where somebody notes it. */
  record?: Installation['record'];
  /** Of which the next backup must complete. */
  repository: Repository;
  /** Jobs that the service said yes to. */
  accepted: number[];
}

async function brokenNow(system: SystemUnderTest): Promise<string[]> {
  const { server, api, database, now, record = null, dataDirectory = server.dataDirectory } = system;
  const folder = server.workspace.path;
  const world = await survey(
    { servers: [server], api, database, now, record, sink: null, folder, dataDirectory, passphrase },
    { promised: system.accepted, planned: null, wrongAnswers: null },
  );
  return brokenIn(world, { partly: true });
}

/** The service is as if nothing had been, within the time that its takings-over need, and does its work. */
export async function expectSound(system: SystemUnderTest): Promise<void> {
  const { api, repository, accepted } = system;
  // What does not end is told by the invariants, in more words.
  for (const id of accepted) await endedJob(api, id, 90_000).catch(() => {});
  let broken: string[] = [];
  const look = async () => {
    // What can't be looked at is not as promised either, but may be so in a moment.
    broken = await brokenNow(system).catch((error: unknown) => [`it can't be looked at: ${error}`]);
    return broken.length === 0;
  };
  await waitFor(look, { what: 'a sound service', timeoutMs: 120_000, intervalMs: 500 }).catch(() => {});
  expect(broken, broken.join('\n')).toEqual([]);
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  accepted.push(job.id);
}
