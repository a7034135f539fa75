import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { api, read } from '../../api/api.js';
import { answer, type Schemas } from '../../api/client.js';
import { user } from '../../hub/link.js';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { type Filter, useFilter } from '../../shell/navigation.js';
import { Page } from '../../shell/page.js';
import { useStore } from '../../store.js';
import { Button } from '../../ui/button.js';
import { SelectField } from '../../ui/field.js';
import { Empty, Section } from '../../ui/layout.js';
import { List } from '../../ui/list.js';
import { NextPage } from '../../ui/next-page.js';
import { QueryView } from '../../ui/query-view.js';
import styles from './activity.module.css';
import { JobRow } from './job-row.js';
import { Lanes } from './lanes.js';
import { RunAgain } from './run-again.js';
import { canRunAgain, lastAttempts } from './run-again.rules.js';
import { Waiting } from './waiting.js';

type Job = Schemas['JobView'];

/** The service sends no more at once. */
const mostPresent = 200;
const results = [
  'running',
  'pending',
  'completed',
  'completed_with_warnings',
  'failed',
  'cancelled',
] as const;

const ended = results.slice(2).join();

/** Running jobs first, then waiting ones, when each ran, and those that ended. The filter is in the address. */
export default function Jobs() {
  const filter = useFilter();
  const [kind, status, repository] = ['kind', 'status', 'repository'].map(filter.value);
  const only = { ...(kind && { kind }), ...(repository && { repository_id: Number(repository) }) };
  const { wanted, running, pending, past } = useJobs(only, status ?? '');
  const shown = wanted.find(({ data }) => !data) ?? wanted.find(({ error }) => error) ?? past;
  const isAll = !past.hasNextPage;
  return (
    <Page title={t.activity.title}>
      <Filters {...filter} />
      <QueryView<unknown> query={shown} lines={8}>
        {() => {
          const lists = {
            running: (wanted.includes(running) && running.data?.jobs) || [],
            pending: (wanted.includes(pending) && pending.data?.jobs) || [],
            past: past.data?.pages.flatMap((page) => page.jobs) ?? [],
          };
          const jobs = [...lists.running, ...lists.pending, ...lists.past];
          if (jobs.length > 0) return <Lists {...lists} picture={<Lanes jobs={jobs} isAll={isAll} />} />;
          return kind || status || repository ? (
            <Empty action={<Button onClick={filter.clear}>{t.activity.showAll}</Button>}>
              {t.activity.emptyFiltered}
            </Empty>
          ) : (
            <Empty>{t.activity.empty}</Empty>
          );
        }}
      </QueryView>
      <NextPage query={past} label={t.activity.more} wide />
    </Page>
  );
}

/** What the filter needs of running and waiting jobs, and of pages of ended ones. */
function useJobs(only: object, status: string) {
  const present = (which: string) =>
    useQuery({
      ...read('/api/jobs', { query: { ...only, status: which, limit: mostPresent } as never }),
      enabled: !status || status === which,
    });
  const running = present('running');
  const pending = present('pending');
  const past = useInfiniteQuery({
    queryKey: ['/api/jobs', only, status],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/jobs', {
          params: {
            query: { ...only, status: status || ended, ...(pageParam && { before: pageParam }) } as never,
          },
          signal,
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next_before,
    enabled: status !== 'running' && status !== 'pending',
  });
  const all = { running, pending };
  return { ...all, past, wanted: status ? [all[status as 'running'] ?? past] : [running, pending, past] };
}

type ListsProps = Record<'running' | 'pending' | 'past', Job[]> & { picture: ComponentChildren };

function Lists({ running, pending, past, picture }: ListsProps) {
  const repositories = useQuery(read('/api/repositories/')).data?.repositories;
  const isAdmin = useStore(user)?.is_admin === true;
  const last = lastAttempts([...running, ...pending, ...past]);
  const titleOf = (title: (count: string) => string, { length }: Job[]) =>
    title(length < mostPresent ? number(length) : t.activity.atLeast(number(length)));
  const rows = (jobs: Job[], title: string) =>
    jobs.length > 0 && (
      <Section title={title}>
        <List label={title} compact>
          {jobs.map((job) => {
            const mode = repositories?.find(({ id }) => id === job.repository_id)?.mode;
            const isFailure = last.has(job.id) && canRunAgain(job, mode, isAdmin);
            return <JobRow key={job.id} job={job} actions={isFailure && <RunAgain job={job} />} />;
          })}
        </List>
      </Section>
    );
  return (
    <>
      {rows(running, titleOf(t.activity.runningNow, running))}
      {pending.length > 0 && <Waiting jobs={pending} title={titleOf(t.activity.waitingNow, pending)} />}
      {picture}
      {rows(past, t.activity.past)}
    </>
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
