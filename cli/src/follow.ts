import { followEvents, type HoldfastClient, type Schemas } from '@holdfast/client';
import { interrupted } from './errors.js';
import { answer, rethrow } from './service.js';
import { canRedraw, columns, note, print, printJson } from './terminal.js';
import { bytes, counted, cut, duration, padded, safe, widthOf } from './text.js';

export type Job = Schemas['JobView'];

export const hasEnded = ({ status }: Job): boolean => status !== 'pending' && status !== 'running';

export const readJob = async (client: HoldfastClient, job_id: number): Promise<Job> =>
  (await answer(client.GET('/api/jobs/{job_id}', { params: { path: { job_id } } }))).job;

/**
 * Shows the jobs until all have ended. Resolves to the exit code: 0 if all completed, 1 if not, 130 after Ctrl-C, with
 * which they continue.
 */
export async function followJobs(
  client: HoldfastClient,
  ids: readonly number[],
  { json = false }: { json?: boolean } = {},
): Promise<number> {
  const jobs = new Map<number, Job>();
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  const screen = json ? { show: () => {}, clear: () => {} } : canRedraw() ? bars() : lines();
  process.on('SIGINT', leave);
  try {
    await rounds();
  } catch (error) {
    rethrow(error);
  } finally {
    process.off('SIGINT', leave);
  }
  screen.clear();
  if (leaving.signal.aborted) {
    for (const id of ids) note(`Job ${id} continues. To follow it: holdfast logs ${id} --follow`);
    return interrupted;
  }
  const ended = [...jobs.values()];
  if (json) printJson({ success: true, jobs: ended, next_before: null });
  else for (const job of ended) print(resultOf(job), { tone: isGood(job) ? 'good' : 'bad' });
  return ended.every(isGood) ? 0 : 1;

  async function rounds(): Promise<void> {
    const kinds = ['job_started', 'job_ended'] as const;
    for await (const { event, data } of followEvents(client, {
      kinds,
      progress: true,
      signal: leaving.signal,
    })) {
      const id = 'job_id' in data ? data.job_id : null;
      const job = jobs.get(id ?? 0);
      // Events were missed before the first one and after a lost connection.
      if (event === 'ready' || event === 'reset') await Promise.all(ids.map(read));
      else if (id === null || !ids.includes(id)) continue;
      else if (event === 'job_progress')
        jobs.set(id, { ...(job ?? (await read(id))), ...data, status: 'running' });
      else await read(id);
      screen.show([...jobs.values()]);
      if (jobs.size === ids.length && [...jobs.values()].every(hasEnded)) return;
    }
  }

  async function read(id: number): Promise<Job> {
    const job = await readJob(client, id);
    jobs.set(id, job);
    return job;
  }
}

const isGood = ({ status }: Job) => status === 'completed';

/** `backup of home` */
export const titleOf = ({ kind, repository_name: name }: Job): string =>
  `${kind.replaceAll('_', ' ')}${name ? ` of ${name}` : ''}`;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function resultOf(job: Job): string {
  const { status, seconds, error_message: problem, progress_details: of, about } = job;
  const took = seconds === null ? '' : ` in ${duration(seconds)}`;
  const facts =
    job.kind === 'backup' && of.nfiles > 0
      ? [counted(of.nfiles, 'file'), bytes(of.original_size), `${bytes(of.deduplicated_size)} new`]
      : about.restored == null
        ? []
        : [`${counted(about.restored, 'entry', 'entries')} restored`, bytes(about.restored_bytes ?? 0)];
  const more = problem ?? facts.join(', ');
  return `${capital(titleOf(job))}: ${status.replaceAll('_', ' ')}${took}${more && `: ${more}`}`;
}

function stateOf({ status, waiting_for: reason, progress }: Job): string {
  if (status === 'pending') return reason ? `waiting: ${reason}` : 'waiting';
  return status === 'running' ? `${progress} %` : status.replaceAll('_', ' ');
}

/** One line for each change, and for every tenth percent. */
function lines() {
  const shown = new Map<number, string>();
  return {
    show(jobs: readonly Job[]) {
      for (const job of jobs) {
        const step = `${job.status} ${job.waiting_for} ${Math.floor(job.progress / 10)}`;
        if (shown.get(job.id) === step || hasEnded(job)) continue;
        shown.set(job.id, step);
        print(`Job ${job.id}, ${titleOf(job)}: ${stateOf(job)}`);
      }
    },
    clear() {},
  };
}

/** One line for each job, which stays where it is. */
function bars() {
  let height = 0;
  const clear = () => {
    if (height > 0) process.stdout.write(`\r\x1b[${height}A\x1b[J`);
    height = 0;
  };
  return {
    clear,
    show(jobs: readonly Job[]) {
      clear();
      // The last column stays free: some terminals break the line there.
      for (const job of jobs) process.stdout.write(`${barOf(job, columns() - 1)}\n`);
      height = jobs.length;
    },
  };
}

export function barOf(job: Job, width: number): string {
  const title = cut(safe(titleOf(job)), Math.max(8, Math.floor(width / 2)));
  if (job.status !== 'running') return cut(`${title}  ${safe(stateOf(job))}`, width);
  const { original_size: size, estimated_time_remaining: left } = job.progress_details;
  const facts = [size > 0 ? bytes(size) : '', left > 0 ? `${duration(left)} left` : ''].filter(Boolean);
  const percent = `${job.progress} %`.padStart(5);
  const tail = [percent, ...facts].join('  ');
  const room = width - widthOf(title) - 2;
  const shown = widthOf(tail) + 10 <= room ? tail : percent;
  const length = Math.min(40, room - widthOf(shown) - 1);
  if (length < 4) return cut(`${title}  ${percent.trim()}`, width);
  const done = Math.round((length * job.progress) / 100);
  return `${title}  ${padded('█'.repeat(done), length).replaceAll(' ', '░')} ${shown}`;
}
