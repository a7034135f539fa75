import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, createRepository, endedJob, passphrase, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import { Borg, type ListedArchive } from './borg.js';

/*
 * Three schedules whose names are beginnings of each other share one repository with 40 dated archives. The prune
 * after a backup of `web` leaves what borg's dry run keeps of the archives of `web` alone, and all of the others.
 */
const names = ['web', 'web-db', 'web-'];
const day = 86_400_000;
const keep = {
  prune_keep_hourly: 1,
  prune_keep_daily: 3,
  prune_keep_weekly: 2,
  prune_keep_monthly: 4,
  prune_keep_yearly: 1,
};
const keepFlags = [
  '--keep-hourly=1',
  '--keep-daily=3',
  '--keep-weekly=2',
  '--keep-monthly=4',
  '--keep-yearly=1',
];

let server: TestServer;
let api: Api;
let repository: Repository;
let borg: Borg;
let source: string;
/** By name of the schedule: its id, and how the comment of its archives begins. */
const schedules = new Map<string, { id: number; comment: string }>();

async function runNow(id: number): Promise<number> {
  const answer = await api.post(`/api/schedule/${id}/run-now`);
  expect(answer.body).toMatchObject({ status: 'pending' });
  return answer.body.job_id as number;
}

/** A schedule that has run once, by which its archives are told from others. */
async function makeSchedule(name: string): Promise<void> {
  const answer = await api.post('/api/schedule/', {
    name,
    cron_expression: '0 3 1 1 *',
    repository_ids: [repository.id],
    ...keep,
    archive_name_template: '{job_name}-{timestamp}',
  });
  expect(answer.status, answer.text).toBe(201);
  const { id } = answer.body.job;
  const job = await endedJob(api, await runNow(id));
  expect(job).toMatchObject({
    status: 'completed',
    archive_name: expect.stringMatching(`^${name}-\\d{10}$`),
  });
  const [archive] = (await borg.list()).filter((each) => each.name === job.archive_name);
  schedules.set(name, { id, comment: archive?.comment.replace(/\w+$/, '') ?? '' });
}

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  source = server.workspace.folder('source');
  writeFileSync(join(source, 'file'), 'content');
  const path = join(server.workspace.path, 'repository');
  repository = await createRepository(api, { name: 'shared', path, source_directories: [source] });
  borg = new Borg(path, server.workspace.folder('base'), { passphrase });
  for (const name of names) await makeSchedule(name);
  await addDatedArchives(40 - names.length);
});
afterAll(() => server.remove());

/**
 * In turn of each schedule, back to more than a year ago, under names that tell little of the schedule; recorded as if
 * its jobs had made them.
 */
async function addDatedArchives(count: number): Promise<void> {
  const prefixes = ['web-db-of-web', 'web-db', 'web-'];
  const dated = Array.from({ length: count }, (_, index) => ({
    name: `${prefixes[index % 3]}-${index}`,
    at: Date.now() - day / 3 - Math.floor(index / 3) ** 2 * 2.6 * day,
    comment: `${schedules.get(names[index % 3] ?? '')?.comment}${900_000 + index}`,
  }));
  await borg.createMany(dated, source);
  const database = await server.database();
  await database.all('UPDATE repository SET inventory_at = NULL');
  await archivesOf(api, repository.path);
  for (const { id, comment } of schedules.values()) {
    const sql = 'UPDATE archive SET schedule_id = ?, job_id = ? WHERE comment LIKE ? AND job_id IS NULL';
    await database.all(sql, id, 900_000, `${comment}%`);
  }
  await database.close();
}

const isOf = (name: string) => (archive: ListedArchive) =>
  archive.comment.startsWith(schedules.get(name)?.comment ?? 'none');
const namesOf = (archives: readonly { name: string }[]) => archives.map(({ name }) => name).toSorted();

/** What borg itself would keep if the repository held nothing but the archives of `web` and the new one. */
async function keptByBorg(copy: Borg, added: ListedArchive): Promise<string[]> {
  await copy.delete(namesOf((await copy.list()).filter((archive) => !isOf('web')(archive))));
  await copy.create(added.name, added.start, { source });
  const plan = await copy.prunePlan(...keepFlags);
  expect(plan.some(({ rule }) => rule === null)).toBe(true);
  return namesOf(plan.filter(({ rule }) => rule !== null));
}

test('prunes like borg and keeps the archives of other schedules', async () => {
  const before = await borg.list();
  expect(before).toHaveLength(40);
  const { id = 0 } = schedules.get('web') ?? {};
  const changed = await api.put(`/api/schedule/${id}`, { run_prune_after: true, run_compact_after: true });
  expect(changed.status, changed.text).toBe(200);
  const copy = borg.copy(server.workspace.folder('copy'));

  const jobId = await runNow(id);
  const seen = new Set<string>();
  const done = await waitFor(
    async () => {
      const { body } = await api.get(`/api/backup/status/${jobId}`);
      seen.add(body.maintenance_status);
      return /_failed|maintenance_completed/.test(body.maintenance_status) && body;
    },
    { what: 'the end of the maintenance', intervalMs: 10 },
  );
  expect(done).toMatchObject({ status: 'completed', maintenance_status: 'maintenance_completed' });
  expect([...seen]).toEqual(expect.arrayContaining(['running_prune', 'running_compact']));

  const after = await borg.list();
  const added = after.find(({ name }) => name === done.archive_name) as ListedArchive;
  expect(namesOf(after.filter(isOf('web')))).toEqual(await keptByBorg(copy, added));
  for (const other of ['web-db', 'web-']) {
    expect(namesOf(after.filter(isOf(other)))).toEqual(namesOf(before.filter(isOf(other))));
  }

  expect(namesOf(await archivesOf(api, repository.path))).toEqual(namesOf(after));
  const { job } = (await api.get(`/api/schedule/${id}`)).body;
  expect(job).toMatchObject({ last_prune: expect.any(String), last_compact: expect.any(String) });
});
