import type { Schemas } from '../api/client.js';
import { outdate, queryClient } from '../api/query-client.js';
import { suspect } from '../api/service.js';
import { connection, onEvent } from './link.js';
import { addressesOutdatedBy } from './live.rules.js';

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
    for (const address of addressesOutdatedBy(event.event)) due.add(address);
  });
  let wasLost = false;
  connection.follow(() => {
    const { state } = connection.get();
    if (state === 'open' && wasLost) void queryClient.invalidateQueries();
    wasLost = state === 'lost' || (wasLost && state === 'connecting');
  });
}

/** Notices that the service is away as soon as the browser or the stream of events does. */
export function followService(): void {
  for (const change of ['online', 'offline']) addEventListener(change, () => void suspect());
  connection.follow(() => {
    if (connection.get().state === 'lost') void suspect();
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
