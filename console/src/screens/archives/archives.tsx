import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { api, read } from '../../api/api.js';
import { answer } from '../../api/client.js';
import { outdate } from '../../api/query-client.js';
import { moment, monthOf, sinceWhen } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { useParameters } from '../../shell/navigation.js';
import type { ScreenProps } from '../../shell/router.js';
import { ActionButton } from '../../ui/action-button.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { SelectField, TextField } from '../../ui/field.js';
import { Empty, Section } from '../../ui/layout.js';
import { List } from '../../ui/list.js';
import { NextPage } from '../../ui/next-page.js';
import { QueryView } from '../../ui/query-view.js';
import { useSettled } from '../../ui/use-settled.js';
import { RepositoryPage } from '../repositories/repository-page.js';
import { ArchiveRow } from './archive-row.js';
import styles from './archives.module.css';
import { byMonth, cursorOf, inOrder } from './archives.rules.js';
import type { Archive } from './archives-query.js';

const hour = 3_600_000;

/** All archives of a repository, the newest first, by months. */
export default function Archives({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const [, navigate] = useLocation();
  const [marked, setMarked] = useState<Archive[] | null>(null);
  const { filter, set } = useFilter(id);
  const list = useArchives(id, filter);
  const asOf = list.data?.pages[0]?.as_of;
  const compare = () => {
    if (marked?.length !== 2) return setMarked(marked ? null : []);
    const [older, newer] = inOrder(marked[0] as Archive, marked[1] as Archive);
    navigate(`/repositories/${id}/compare?${new URLSearchParams({ from: older.name, to: newer.name })}`);
  };
  return (
    <RepositoryPage
      id={id}
      part="archives"
      lead={asOf && Date.now() - Date.parse(asOf) > hour && t.common.asOf(sinceWhen(asOf))}
      actions={
        <>
          <ActionButton onAct={() => readAgain(id)}>{t.archives.readAgain}</ActionButton>
          <Button look={marked?.length === 2 ? 'primary' : 'plain'} onClick={compare}>
            {marked === null
              ? t.archives.compare
              : marked.length === 2
                ? t.archives.compareThese
                : t.archives.stopComparing}
          </Button>
        </>
      }
    >
      {() => (
        <>
          <Filter filter={filter} set={set} />
          {marked && marked.length < 2 && <p role="status">{t.archives.markTwo(2 - marked.length)}</p>}
          <QueryView query={list} lines={6}>
            {({ pages }) => {
              const archives = pages.flatMap((page) => page.archives.toReversed());
              if (archives.length === 0 && !list.hasNextPage)
                return isEmpty(filter) ? <NoArchives id={id} /> : <NoneMatches clear={() => set({})} />;
              return byMonth(archives, monthOf).map(([month, some]) => (
                <Section key={month} title={<time>{month}</time>}>
                  <List label={month}>
                    {some.map((archive) => (
                      <ArchiveRow
                        key={archive.id}
                        repositoryId={id}
                        archive={archive}
                        isMarked={marked?.some((other) => other.id === archive.id)}
                        canMark={marked !== null && marked.length < 2}
                        onMark={(isMarked) =>
                          setMarked(
                            isMarked
                              ? [...(marked ?? []), archive]
                              : (marked ?? []).filter((other) => other.id !== archive.id),
                          )
                        }
                      />
                    ))}
                  </List>
                </Section>
              ));
            }}
          </QueryView>
          <NextPage query={list} wide />
        </>
      )}
    </RepositoryPage>
  );
}

/**
 * The list comes from the cache. This reads the repository, because other programs may have added archives.
 */
async function readAgain(id: number): Promise<void> {
  await answer(api.GET('/api/archives/list', { params: { query: { repository_id: id, limit: 1 } } }));
  outdate('/api/archives', '/api/overview');
  announce(t.archives.isRead);
}

type FilterValues = { name?: string; schedule?: string; until?: string };
const isEmpty = (filter: FilterValues) => Object.values(filter).every((value) => !value);

/** The filter is in the address. */
function useFilter(id: number) {
  const [, navigate] = useLocation();
  const parameters = useParameters();
  const filter: FilterValues = {
    name: parameters.get('name') ?? '',
    schedule: parameters.get('schedule') ?? '',
    until: parameters.get('until') ?? '',
  };
  const set = (values: FilterValues) => {
    const given = Object.entries(values).filter(([, value]) => value);
    const address = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
    navigate(`/repositories/${id}/archives${address}`, { replace: true });
  };
  return { filter, set };
}

function useArchives(id: number, { name: typed, schedule, until }: FilterValues) {
  const name = useSettled(typed);
  return useInfiniteQuery({
    queryKey: ['/api/archives/list', id, name, schedule, until],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/archives/list', {
          params: {
            query: {
              repository_id: id,
              limit: 100,
              known_only: true,
              ...(name && { query: name }),
              ...(schedule && { schedule_id: Number(schedule) }),
              ...(pageParam && { before: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: cursorOf(until ?? '') ?? null,
    getNextPageParam: (page) => page.next_before ?? null,
    placeholderData: (before) => before,
  });
}

function Filter({ filter, set }: { filter: FilterValues; set: (values: FilterValues) => void }) {
  const schedules = useQuery(read('/api/schedule/'));
  return (
    <div class={styles.filters} role="search" aria-label={t.archives.filter}>
      <TextField
        type="search"
        label={t.archives.name}
        value={filter.name ?? ''}
        onValue={(name) => set({ ...filter, name })}
        maxLength={256}
      />
      <SelectField
        label={t.archives.schedule}
        value={filter.schedule ?? ''}
        onValue={(schedule) => set({ ...filter, schedule })}
        options={[
          ['', t.common.all],
          ...(schedules.data?.jobs ?? []).map(({ id, name }) => [String(id), name] as const),
        ]}
      />
      <TextField
        type="date"
        label={t.archives.until}
        value={filter.until ?? ''}
        onValue={(until) => set({ ...filter, until })}
      />
    </div>
  );
}

const NoneMatches = ({ clear }: { clear: () => void }) => (
  <Empty action={<Button onClick={clear}>{t.archives.showAll}</Button>}>{t.archives.noneMatches}</Empty>
);

function NoArchives({ id }: { id: number }) {
  const planned = useQuery(read('/api/schedule/upcoming-jobs', { query: { hours: 8760 } }));
  const next = planned.data?.upcoming_jobs.find(({ repositories }) =>
    repositories.some((repository) => repository.id === id),
  );
  return <Empty>{next ? t.archives.firstIsDue(moment(next.next_run)) : t.archives.nonePlanned}</Empty>;
}
