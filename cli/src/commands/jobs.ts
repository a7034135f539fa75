import type { HoldfastClient, Schemas } from '@holdfast/client';
import { CommandError } from '../errors.js';
import { followJobs, hasEnded, readJob, resultOf, titleOf } from '../follow.js';
import { pick, repositoriesOf, repositoryCalled, schedulesOf } from '../pick.js';
import { answer, connect, type ServiceOptions } from '../service.js';
import { note, print, printJson, printWhole } from '../terminal.js';

interface StartOptions extends ServiceOptions {
  json?: boolean;
  wait: boolean;
}

/** What starts a job answers. */
interface Started {
  job_id: number;
  job_ids?: number[];
  message: string;
}

export function afterStart(client: HoldfastClient, started: Started, { json, wait }: StartOptions) {
  const ids = started.job_ids ?? [started.job_id];
  if (wait) return followJobs(client, ids, { json });
  if (json) printJson(started);
  else for (const id of ids) print(`Job ${id} is queued. To follow it: holdfast logs ${id} --follow`);
  return 0;
}

interface BackupOptions extends StartOptions {
  repository?: boolean;
  schedule?: boolean;
}

export async function backup(name: string, options: BackupOptions): Promise<number> {
  const client = await connect(options);
  const both = options.repository === options.schedule;
  const some = await Promise.all([
    both || options.repository ? repositoriesOf(client) : [],
    both || options.schedule ? schedulesOf(client) : [],
  ]);
  const what = both ? 'repository or schedule' : options.schedule ? 'schedule' : 'repository';
  const { kind, id } = pick(some.flat(), name, what);
  const started =
    kind === 'schedule'
      ? await answer(
          client.POST('/api/schedule/{job_id}/run-now', { params: { path: { job_id: Number(id) } } }),
        )
      : await answer(client.POST('/api/backup/start', { body: { repository_id: Number(id) } }));
  return afterStart(client, started, options);
}

interface CheckOptions extends StartOptions {
  verifyData?: boolean;
  maxDuration?: string;
}

export async function check(name: string, options: CheckOptions): Promise<number> {
  const client = await connect(options);
  const { id } = await repositoryCalled(client, name);
  const body: Schemas['CheckInput'] = { verify_data: options.verifyData };
  if (options.maxDuration !== undefined) body.max_duration = numberIn(options.maxDuration, '--max-duration');
  const params = { path: { repo_id: id } };
  const started = await answer(client.POST('/api/repositories/{repo_id}/check', { params, body }));
  return afterStart(client, started, options);
}

export function numberIn(text: string, option: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CommandError(`${option} must be a number.`);
}

/** The jobs that run and wait now, until they have ended. */
export async function watch(options: ServiceOptions & { json?: boolean }): Promise<number> {
  const client = await connect(options);
  const query = { status: 'running,pending', limit: 200 };
  const page = await answer(client.GET('/api/jobs', { params: { query } }));
  if (options.json) printJson(page);
  else if (page.jobs.length === 0) print('No job is running.');
  else return followJobs(client, page.jobs.map(({ id }) => id).reverse());
  return 0;
}

interface LogOptions extends ServiceOptions {
  json?: boolean;
  follow?: boolean;
}

export async function logs(
  wanted: string | undefined,
  { json, follow, ...service }: LogOptions,
): Promise<number> {
  const client = await connect(service);
  const job_id = wanted === undefined ? await newestJob(client) : numberIn(wanted, 'The job');
  const lines: Schemas['LogPage']['lines'] = [];
  for (;;) {
    const params = { path: { job_id }, query: { offset: lines.length } };
    const page = await answer(client.GET('/api/jobs/{job_id}/log', { params }));
    lines.push(...page.lines);
    if (!json) for (const { content } of page.lines) printWhole(content.replaceAll('\t', '    '));
    if (page.has_more) continue;
    const isOver = page.status !== 'pending' && page.status !== 'running';
    if (follow && !isOver) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      continue;
    }
    if (json) printJson({ ...page, lines });
    break;
  }
  const job = json ? null : await readJob(client, job_id);
  if (job) note(hasEnded(job) ? resultOf(job) : `Job ${job_id}, ${titleOf(job)}, is ${job.status}.`);
  return 0;
}

async function newestJob(client: HoldfastClient): Promise<number> {
  const { jobs } = await answer(client.GET('/api/jobs', { params: { query: { limit: 1 } } }));
  if (jobs[0]) return jobs[0].id;
  throw new CommandError('There are no jobs yet.');
}
