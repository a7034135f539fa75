import { beforeEach, expect, test } from 'vitest';
import { chooseWay } from '../../src/backup/backups/pull/remote-source.js';
import { archives, type RepositoryRow } from '../../src/backup/repositories/tables.js';
import type { SshConnectionRow } from '../../src/backup/ssh/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const repository = { id: 1 } as RepositoryRow;
const trusted = { id: 7, trusted: true } as SshConnectionRow;
let storage: ReturnType<typeof memoryStorage>;
let lines: string[];

beforeEach(() => {
  [storage, lines] = [memoryStorage(), []];
});

const way = (connection = trusted) =>
  chooseWay({ storage }, { repository, log: ({ text }) => lines.push(text) }, connection);

const addJob = (sourceConnectionId: number | null) =>
  storage.insert(jobs, {
    kind: 'backup',
    status: 'completed',
    repository_id: 1,
    repository_path: '/r',
    repository_name: 'r',
    requested_by: 'admin',
    requested_at: 0,
    parameters: {},
    progress: noProgress,
    outcome: { sourceConnectionId },
  });

const addArchive = (name: string, job_id: number | null) =>
  storage.insert(archives, {
    repository_id: 1,
    tool_id: name,
    name,
    job_id,
    comment: 'holdfast:1:here:-:1',
    start: 0,
    hostname: 'h',
    username: 'u',
    seen_at: 0,
  });

test('the tool never runs on a host that nobody marked as trusted', async () => {
  expect(await way({ ...trusted, trusted: false })).toBe('tar');
});

test('a new repository serves its host alone', async () => {
  expect(await way()).toBe('tool');
  const job = await addJob(7);
  await addArchive('own', job.id);
  expect(await way()).toBe('tool');
  expect(lines).toEqual([]);
});

test.each([
  ['of this machine', null],
  ['of another host', 8],
])('an archive %s keeps the tool away from the host, and the log says so', async (_, source) => {
  const job = await addJob(source);
  await addArchive('strange', job.id);
  expect(await way()).toBe('tar');
  expect(lines[0]).toContain('strange');
});

test('neither does one that no job recorded, whatever its comment says', async () => {
  await addJob(7);
  await addArchive('by-hand', null);
  expect(await way()).toBe('tar');
});
