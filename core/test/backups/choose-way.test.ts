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

test('never runs the tool on a host that is not trusted', async () => {
  expect(await way({ ...trusted, trusted: false })).toBe('tar');
});

test('runs the tool on the host of a repository without archives of others', async () => {
  expect(await way()).toBe('tool');
  const job = await addJob(7);
  await addArchive('own', job.id);
  expect(await way()).toBe('tool');
  expect(lines).toEqual([]);
});

test.each([
  ['of this machine', null],
  ['of another host', 8],
])('uses tar and logs the reason for an archive %s', async (_, source) => {
  const job = await addJob(source);
  await addArchive('strange', job.id);
  expect(await way()).toBe('tar');
  expect(lines[0]).toContain('strange');
});

test('uses tar if an archive was recorded by no job, despite its comment', async () => {
  await addJob(7);
  await addArchive('by-hand', null);
  expect(await way()).toBe('tar');
});
