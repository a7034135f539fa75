import type { Database } from '../store/database.js';
import type { Writer } from './writer-record.js';

export interface Planned {
  schedule: number;
  at: number;
}

interface SlotRow {
  id: number;
  schedule_id: number;
  planned_at: number;
  outcome: string;
  reason: string | null;
}

export interface JobRow {
  id: number;
  uid: string;
  status: string;
  slot_id: number;
  repository_path: string;
  fence: number;
  owner: string | null;
  completed_at: number | null;
  error_message: string | null;
}

const ended = "('completed', 'completed_with_warnings', 'failed', 'cancelled')";

/** For a schedule to be made due in a moment. */
export const soon = (schedule: number): Planned => ({ schedule, at: Date.now() + 500 });

/** Makes schedules due at these instants, whatever their cron expressions say. */
export async function plan(database: Pick<Database, 'all'>, planned: readonly Planned[]): Promise<void> {
  for (const { schedule, at } of planned)
    await database.all('UPDATE schedule SET next_run = ? WHERE id = ?', at, schedule);
}

export const jobsOf = (database: Database) => database.all<JobRow>('SELECT * FROM job ORDER BY id');

export async function unfinished(database: Database, planned: readonly Planned[]): Promise<number> {
  const sql = `SELECT COUNT(*) AS count FROM slot WHERE outcome IN ${ended}`;
  const open = `SELECT COUNT(*) AS count FROM job WHERE status NOT IN ${ended}`;
  const [slots] = await database.all<{ count: number }>(sql);
  const [jobs] = await database.all<{ count: number }>(open);
  return planned.length - (slots?.count ?? 0) + (jobs?.count ?? 0);
}

/** All that ended jobs left in the database. */
export async function endedWork(database: Database): Promise<Map<number, unknown>> {
  const rows = await database.all<{ id: number }>(`SELECT * FROM job WHERE status IN ${ended}`);
  const logs = await database.all<{ job_id: number }>('SELECT * FROM job_log ORDER BY id');
  const events = await database.all<{ job_id: number }>('SELECT * FROM event ORDER BY id');
  const of = (id: number) => (each: { job_id: number }) => each.job_id === id;
  return new Map(
    rows.map((row) => [row.id, { row, log: logs.filter(of(row.id)), events: events.filter(of(row.id)) }]),
  );
}

/** What is not as promised, in words: each planned instant has one slot with one job, which one writer made. */
export async function faults(
  database: Database,
  { planned, writers }: { planned: readonly Planned[]; writers: readonly Writer[] },
): Promise<string[]> {
  const slots = await database.all<SlotRow>('SELECT * FROM slot');
  const jobs = await jobsOf(database);
  return [
    ...planned.flatMap((each) => slotFaults(each, slots)),
    ...slots.flatMap((slot) => jobCountFaults(slot, jobs)),
    ...jobs.flatMap((job) => jobFaults(job, writers)),
    ...(slots.length === planned.length ? [] : [`${slots.length} slots for ${planned.length} instants`]),
    ...writers
      .filter(({ found }) => found === 'beside')
      .map(({ verb, repository, job }) => `${verb} of job ${job} wrote to ${repository} beside another one`),
  ];
}

/** Killed in the moment between the tool's end and the first write about it. */
const lostWords = /before Borg's warnings were stored/;

function slotFaults({ schedule, at }: Planned, slots: readonly SlotRow[]): string[] {
  const found = slots.filter((slot) => slot.schedule_id === schedule && slot.planned_at === at);
  const what = `schedule ${schedule} at ${new Date(at).toISOString()}`;
  if (found.length !== 1) return [`${what} has ${found.length} slots`];
  return found
    .filter(
      ({ outcome, reason }) => !['completed', 'failed'].includes(outcome) && !lostWords.test(reason ?? ''),
    )
    .map(({ outcome, reason }) => `${what} is ${outcome}: ${reason}`);
}

function jobCountFaults({ id }: SlotRow, jobs: readonly JobRow[]): string[] {
  const count = jobs.filter(({ slot_id }) => slot_id === id).length;
  return count === 1 ? [] : [`slot ${id} has ${count} jobs`];
}

function jobFaults(job: JobRow, writers: readonly Writer[]): string[] {
  const creates = writers.filter((writer) => writer.verb === 'create' && writer.job === job.uid).length;
  const { id, status, error_message } = job;
  const says = `job ${id} (${status}: ${error_message})`;
  const right = status.startsWith('completed') ? creates === 1 : creates <= 1;
  const told = status === 'failed' ? /^Interrupted/ : lostWords;
  const known = status === 'completed' || told.test(error_message ?? '');
  return [
    ...(right ? [] : [`${says} began ${creates} creates`]),
    ...(known ? [] : [`${says} is unexpected`]),
  ];
}
