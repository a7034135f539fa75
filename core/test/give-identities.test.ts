import { beforeEach, describe, expect, it } from 'vitest';
import { giveIdentities } from '../src/app/app.js';
import { archives } from '../src/backup/repositories/tables.js';
import { schedules } from '../src/backup/schedules/tables.js';
import { noProgress } from '../src/engine/jobs/job.rules.js';
import { jobs } from '../src/engine/jobs/tables.js';
import { memoryStorage } from './fakes/memory-storage.js';

let storage: ReturnType<typeof memoryStorage>;
let schedule: number;

beforeEach(async () => {
  storage = memoryStorage();
  const row = await storage.insert(schedules, {
    name: 'web',
    cron_expression: '0 3 * * *',
    timezone: 'UTC',
    catch_up: 'one',
    created_at: 0,
    updated_at: 0,
  });
  schedule = row.id;
});

const give = () => giveIdentities(storage, 'here');
const job = (status: 'pending' | 'running' | 'completed', archive?: string) =>
  storage.insert(jobs, {
    kind: 'backup',
    status,
    repository_id: 1,
    repository_path: '/r',
    repository_name: 'r',
    requested_by: 'admin',
    requested_at: 0,
    parameters: {},
    progress: noProgress,
    schedule_id: schedule,
    outcome: archive === undefined ? null : { archive: { id: archive } },
  });
/** As an earlier release left it. `files`: null where only a listing told of it. */
const archive = (name: string, comment: string, files: number | null = 3) =>
  storage.insert(archives, {
    repository_id: 1,
    tool_id: name,
    name,
    comment,
    files,
    start: 0,
    hostname: 'h',
    username: 'u',
    seen_at: 0,
  });
const recorded = async () =>
  (await storage.find(archives)).map(({ name, job_id, schedule_id }) => [name, job_id, schedule_id]);

describe('a database of an earlier release', () => {
  it('gets random ids for its schedules and its waiting jobs, once', async () => {
    await job('pending');
    await job('running');
    const uids = async () => [
      (await storage.find(schedules)).map(({ uid }) => uid),
      (await storage.find(jobs)).map(({ uid }) => uid),
    ];
    await Promise.all([give(), give()]);
    const given = await uids();
    const random = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect(given).toEqual([[random], [random, null]]);
    await give();
    expect(await uids()).toEqual(given);
  });

  it('keeps its archives with their jobs and schedules, by the ids that those recorded', async () => {
    const { id } = await job('completed', 'real');
    await archive('real', `holdfast:1:here:${schedule}:${id}`);
    await archive('forged', `holdfast:1:here:${schedule}:${id}`, null);
    await archive('foreign', '');
    await give();
    expect(await recorded()).toEqual([
      ['real', id, schedule],
      ['forged', null, null],
      ['foreign', null, null],
    ]);
  });

  it('keeps the ids of removed jobs only where the archive row has a job', async () => {
    await archive('old', `holdfast:1:here:${schedule}:900`);
    await archive('of a schedule that is gone', 'holdfast:1:here:55:901');
    await archive('elsewhere', `holdfast:1:there:${schedule}:902`);
    await archive('only listed', `holdfast:1:here:${schedule}:903`, null);
    await archive('by hand', 'holdfast:1:here:-:904');
    const { id } = await archive('measured', `holdfast:1:here:${schedule}:905`);
    await storage.update(archives, { id }, { measured_at: 1 });
    await give();
    expect(await recorded()).toEqual([
      ['old', 900, schedule],
      ['of a schedule that is gone', null, null],
      ['elsewhere', null, null],
      ['only listed', null, null],
      ['by hand', 904, null],
      ['measured', null, null],
    ]);
  });
});
