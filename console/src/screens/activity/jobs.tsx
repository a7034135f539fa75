import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { api, read } from '../../api/api.js';
import { answer, type Schemas } from '../../api/client.js';
import { duration } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { type Filter, useFilter } from '../../shell/navigation.js';
import { Page } from '../../shell/page.js';
import { Button } from '../../ui/button.js';
import { SelectField } from '../../ui/field.js';
import { Empty } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { NextPage } from '../../ui/next-page.js';
import { Progress } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { Sentence } from '../../ui/sentence.js';
import { Time } from '../../ui/time.js';
import styles from './activity.module.css';
import { JobState, kindOf } from './job-state.js';

type Job = Schemas['JobView'];
const results = [
  'running',
  'pending',
  'completed',
  'completed_with_warnings',
  'failed',
  'cancelled',
] as const;

/** All jobs of all kinds, the newest first. The filter is in the address. */
export default function Jobs() {
  const filter = useFilter();
  const [kind, status, repository] = ['kind', 'status', 'repository'].map(filter.value);
  const query = useInfiniteQuery({
    queryKey: ['/api/jobs', kind, status, repository],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/jobs', {
          params: {
            query: {
              ...(kind && { kind }),
              ...(status && { status }),
              ...(repository && { repository_id: Number(repository) }),
              ...(pageParam && { before: pageParam }),
            },
          } as never,
          signal,
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next_before,
  });
  // Those that wait may fill the first pages.
  const running = useQuery(read('/api/jobs', { query: { status: 'running', limit: 200 } }));
  const isFiltered = Boolean(kind || status || repository);
  return (
    <Page title={t.activity.title}>
      <Filters {...filter} />
      <QueryView query={query} lines={8}>
        {({ pages }) => {
          const jobs = runningFirst([
            ...(isFiltered ? [] : (running.data?.jobs ?? [])),
            ...pages.flatMap((page) => page.jobs),
          ]);
          if (jobs.length === 0)
            return isFiltered ? (
              <Empty action={<Button onClick={filter.clear}>{t.activity.showAll}</Button>}>
                {t.activity.emptyFiltered}
              </Empty>
            ) : (
              <Empty>{t.activity.empty}</Empty>
            );
          return (
            <List label={t.activity.jobs}>
              {jobs.map((job) => (
                <JobRow key={job.id} job={job} />
              ))}
            </List>
          );
        }}
      </QueryView>
      <NextPage query={query} label={t.activity.more} wide />
    </Page>
  );
}

function Filters({ value, set }: Filter) {
  const repositories = useQuery(read('/api/repositories/')).data?.repositories ?? [];
  const field = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <SelectField
      label={label}
      value={value(name)}
      onValue={(text) => set(name, text)}
      options={[['', t.activity.any], ...options]}
    />
  );
  return (
    <div class={styles.filters} role="search" aria-label={t.activity.filter}>
      {field('kind', t.activity.kind, Object.entries(t.common.jobKinds))}
      {field(
        'repository',
        t.activity.repository,
        repositories.map(({ id, name }) => [String(id), name]),
      )}
      {field(
        'status',
        t.activity.result,
        results.map((key) => [key, t.common.jobStates[key]]),
      )}
    </div>
  );
}

const orderOf = ({ status }: Job) => ['running', 'pending'].indexOf(status) >>> 0;

/** Each once, in the state of its page. */
const runningFirst = (jobs: Job[]): Job[] =>
  [...new Map(jobs.map((job) => [job.id, job])).values()].sort(
    (one, other) => orderOf(one) - orderOf(other) || other.id - one.id,
  );

function JobRow({ job }: { job: Job }) {
  const kind = kindOf(job);
  return (
    <ListItem
      href={`/activity/${job.id}`}
      label={`${t.activity.of(kind, job.repository_name)}, ${t.common.jobStates[job.status]}`}
      title={t.activity.of(kind, job.repository_name)}
      note={<JobNote job={job} />}
    >
      {job.status === 'running' ? (
        <div class={styles.bar}>
          <Progress percent={job.progress} label={t.activity.progress} />
        </div>
      ) : null}
      <span class={styles.state}>
        <JobState status={job.status} />
      </span>
      <span class={styles.time}>
        <Time plain at={job.completed_at ?? job.started_at ?? job.requested_at} />
        {job.seconds !== null && <span class="muted"> · {duration(job.seconds)}</span>}
      </span>
    </ListItem>
  );
}

function JobNote({ job }: { job: Job }) {
  if (job.waiting_for)
    return <Sentence code={job.waiting_for_code} params={job.waiting_for_params} text={job.waiting_for} />;
  if (job.error_message)
    return (
      <span class={styles.oneLine}>
        <Sentence code={job.error_code} params={job.error_params} text={job.error_message} />
      </span>
    );
  return <>{job.about.archive ?? ''}</>;
}
