import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { read, readPages, type Schemas } from '../../api/api.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { useMay } from '../../hub/may.js';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { Button } from '../../ui/button.js';
import { SelectField } from '../../ui/field.js';
import { later } from '../../ui/later.js';
import { Empty, Section } from '../../ui/layout.js';
import type { Paged } from '../../ui/next-page.js';
import { QueryView } from '../../ui/query-view.js';
import { type Filter, useFilter } from '../../ui/use-filter.js';
import { InView } from '../repositories/in-view.js';
import styles from './activity.module.css';
import { JobList } from './job-list.js';
import { Lanes } from './lanes.js';
import { RunAgain } from './run-again.js';
import { canRunAgain, lastAttempts } from './run-again.rules.js';
import { Waiting } from './waiting.js';

const Year = later(() => import('../repositories/year.js'));

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
  return (
    <Page title={t.frame.place.activity}>
      <Filters {...filter} />
      <QueryView<unknown> query={shown} lines={8}>
        {() => {
          const lists = {
            running: (wanted.includes(running) && running.data?.jobs) || [],
            pending: (wanted.includes(pending) && pending.data?.jobs) || [],
            past: past.data?.pages.flatMap((page) => page.jobs) ?? [],
          };
          const jobs = [...lists.running, ...lists.pending, ...lists.past];
          if (jobs.length > 0)
            return (
              <Lists
                {...lists}
                pages={past}
                picture={
                  <>
                    <Lanes jobs={jobs} isAll={!past.hasNextPage} />
                    {/* The year has backups of any result. */}
                    {!kind && !status && (
                      <InView height="29rem">
                        <Year key={repository} id={repository ? Number(repository) : undefined} />
                      </InView>
                    )}
                  </>
                }
              />
            );
          return kind || status || repository ? (
            <Empty action={<Button onClick={filter.clear}>{t.activity.showAll}</Button>}>
              {t.activity.emptyFiltered}
            </Empty>
          ) : (
            <Empty>{t.activity.empty}</Empty>
          );
        }}
      </QueryView>
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
    ...readPages('/api/jobs', { ...only, status: status || ended }),
    enabled: status !== 'running' && status !== 'pending',
  });
  const all = { running, pending };
  return { ...all, past, wanted: status ? [all[status as 'running'] ?? past] : [running, pending, past] };
}

type ListsProps = Record<'running' | 'pending' | 'past', Job[]> & {
  pages: Paged;
  picture: ComponentChildren;
};

function Lists({ running, pending, past, pages, picture }: ListsProps) {
  const repositories = useQuery(read('/api/repositories/')).data?.repositories;
  const isAdmin = useIsAdmin();
  const may = useMay();
  const last = lastAttempts([...running, ...pending, ...past]);
  const titleOf = (title: (count: string) => string, { length }: Job[]) =>
    title(length < mostPresent ? number(length) : t.activity.atLeast(number(length)));
  const rows = (jobs: Job[], title: string, query?: Paged) =>
    jobs.length > 0 && (
      <Section title={title}>
        <JobList
          label={title}
          rows={jobs}
          isPart={!query}
          {...(query && { query })}
          actionsWidth="8rem"
          actions={(job) => {
            const mode = repositories?.find(({ id }) => id === job.repository_id)?.mode;
            const rights = { isAdmin, mayOperate: may('operate', job.repository_id) };
            return last.has(job.id) && canRunAgain(job, mode, rights) && <RunAgain job={job} />;
          }}
        />
      </Section>
    );
  return (
    <>
      {rows(running, titleOf(t.activity.runningNow, running))}
      {pending.length > 0 && <Waiting jobs={pending} title={titleOf(t.activity.waitingNow, pending)} />}
      {picture}
      {rows(past, t.activity.ended, pages)}
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
      options={[['', t.common.all], ...options]}
    />
  );
  return (
    <div class={styles.filters} role="search" aria-label={t.activity.filter}>
      {field('kind', t.activity.kind, Object.entries(t.common.jobKinds))}
      {field(
        'repository',
        t.frame.kinds.repository,
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
