import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allEntities, makeHousekeepingWorker } from '@holdfast/core/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqliteIn } from './sqlite-in.js';

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
const day = 86_400_000;
let folder: string;
let storage: Awaited<ReturnType<typeof sqliteIn>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-housekeeping-'));
  storage = await sqliteIn(folder);
});
afterAll(async () => {
  await storage.stop?.();
  await rm(folder, { recursive: true });
});

const entity = (name: string) => {
  const found = allEntities.find((each) => each.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

test('runs every rule exactly once with two processes on one database file', async () => {
  const [jobs, logs, figures] = [entity('job'), entity('job_log'), entity('job_figures')];
  const now = Date.now();
  const counts = { check: { completed: 400 } };
  await storage.insert(figures, { repository_id: 1, figures: { counts, last: {} } } as never);
  await storage.transaction(async (session) => {
    for (let n = 0; n < 400; n++) {
      const at = now - (n < 150 ? 400 : 10) * day;
      const job = await session.insert(jobs, {
        kind: 'check',
        status: 'completed',
        repository_id: 1,
        repository_path: '/r',
        log_lines: 1,
        repository_name: 'r',
        requested_by: 'a',
        requested_at: at,
        started_at: at,
        completed_at: at,
        parameters: {},
        progress: {},
      } as never);
      await session.insert(logs, { job_id: job.id, first_line: 0, line_count: 1, content: 'text' } as never);
    }
  });
  const failures: unknown[] = [];
  const log = { ...quiet, warn: (...said: unknown[]) => void failures.push(said) };
  const keepers = [1, 2].map(() => makeHousekeepingWorker({ storage, clock: { now: Date.now }, log }));
  await Promise.all(keepers.map((keeper) => keeper.round()));
  expect(failures).toEqual([]);
  expect(await storage.find(jobs)).toHaveLength(250);
  expect(await storage.find(logs)).toHaveLength(250);
  const [row] = await storage.find(figures);
  expect(row).toMatchObject({ figures: { counts }, removed: { counts: { check: { completed: 150 } } } });
});
