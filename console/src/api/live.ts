import { connection, onEvent } from '../hub/link.js';
import type { Schemas } from './client.js';
import { outdate, queryClient } from './query-client.js';

/** Which addresses an event makes outdated. */
const outdatedBy: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^job_/, ['/api/overview', '/api/jobs', '/api/repositories/{repo_id}/']],
  [/^(backup|restore|check)_/, ['/api/overview', '/api/repositories', '/api/schedule']],
  [
    /^repository_/,
    ['/api/system/protection', '/api/overview', '/api/repositories', '/api/schedule', '/api/archives'],
  ],
  [
    /^archives_changed/,
    ['/api/system/protection', '/api/archives', '/api/overview', '/api/repositories', '/api/history'],
  ],
  [
    /^(schedule_|retention_)/,
    ['/api/system/protection', '/api/schedule', '/api/overview', '/api/repositories'],
  ],
  [/^connection_/, ['/api/ssh-keys', '/api/overview']],
  [/^delivery_/, ['/api/notifications', '/api/overview']],
  [/^protection_/, ['/api/overview', '/api/system/protection']],
  [/^(incident|damage)/, ['/api/incidents', '/api/overview']],
];

/** Keeps what is shown up to date by the stream of events. */
export function followChanges(): void {
  let due = new Set<string>();
  let flushedAt = 0;
  const flush = () => {
    flushedAt = Date.now();
    outdate(...due);
    due = new Set();
  };
  onEvent((event) => {
    if (event.event === 'job_progress') return showProgress(event.data as Progress);
    // The feed does not go back that far: everything may have changed.
    if (event.event === 'reset') return void queryClient.invalidateQueries();
    // Many events in a row are read once a second: each reading drops the one before.
    if (due.size === 0) setTimeout(flush, Math.max(150, flushedAt + 1_000 - Date.now()));
    for (const [kind, addresses] of outdatedBy)
      if (kind.test(event.event)) for (const address of addresses) due.add(address);
  });
  let wasLost = false;
  connection.follow(() => {
    const { state } = connection.get();
    if (state === 'open' && wasLost) void queryClient.invalidateQueries();
    wasLost = state === 'lost' || (wasLost && state === 'connecting');
  });
}

type Progress = Pick<Schemas['JobView'], 'progress' | 'progress_details' | 'progress_message'> & {
  job_id: number;
};

function showProgress(data: Progress): void {
  const { job_id, progress, progress_details, progress_message } = data;
  queryClient.setQueriesData<Schemas['Overview']>(
    { queryKey: ['/api/overview'] },
    (overview) =>
      overview && {
        ...overview,
        repositories: overview.repositories.map((repository) =>
          repository.running?.job_id === job_id
            ? {
                ...repository,
                running: {
                  ...repository.running,
                  percent: progress,
                  seconds_remaining: progress_details.estimated_time_remaining || null,
                },
              }
            : repository,
        ),
      },
  );
  const update = (job: Schemas['JobView']) =>
    job.id === job_id && job.status === 'running'
      ? { ...job, progress, progress_details, progress_message }
      : job;
  queryClient.setQueriesData<{ job: Schemas['JobView'] }>({ queryKey: ['/api/jobs/{job_id}'] }, (known) =>
    known?.job ? { ...known, job: update(known.job) } : known,
  );
  queryClient.setQueriesData<{ pages?: { jobs: Schemas['JobView'][] }[]; jobs?: Schemas['JobView'][] }>(
    { queryKey: ['/api/jobs'] },
    (known) => {
      if (known?.pages)
        return { ...known, pages: known.pages.map((page) => ({ ...page, jobs: page.jobs.map(update) })) };
      return known?.jobs ? { ...known, jobs: known.jobs.map(update) } : known;
    },
  );
}
