import { useInfiniteQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { outdate, read, readPages, useRead } from '../../api/api.js';
import { useMay } from '../../hub/may.js';
import { moment, number, sinceWhen } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import type { ScreenProps } from '../../shell/router.js';
import { ActionButton } from '../../ui/action-button.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { DataList } from '../../ui/data-list.js';
import { SelectField, TextField } from '../../ui/field.js';
import { Empty } from '../../ui/layout.js';
import { More } from '../../ui/more.js';
import { NextPage } from '../../ui/next-page.js';
import { QueryView } from '../../ui/query-view.js';
import { type Filter, useFilter } from '../../ui/use-filter.js';
import { useSettled } from '../../ui/use-settled.js';
import { browseAddress } from '../browse/paths.rules.js';
import { RepositoryPage } from '../repositories/repository-page.js';
import { ArchiveActions, useColumns } from './archive-row.js';
import styles from './archives.module.css';
import { inOrder, localDay } from './archives.rules.js';
import type { Archive } from './archives-query.js';
import { Calendar } from './calendar.js';

const hour = 3_600_000;

/** All archives of a repository, the newest first, next to a calendar of them. */
export default function Archives({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const [, navigate] = useLocation();
  const [marked, setMarked] = useState<Archive[] | null>(null);
  const filter = useFilter();
  const may = useMay();
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
          {may('restore', id) && (
            <Button look={marked?.length === 2 ? 'primary' : 'plain'} onClick={compare}>
              {marked === null
                ? t.archives.compare
                : marked.length === 2
                  ? t.archives.compareThese
                  : t.archives.stopComparing}
            </Button>
          )}
        </>
      }
    >
      {() => (
        <QueryView query={list} lines={6}>
          {({ pages }) => {
            const archives = pages.flatMap((page) => page.archives.toReversed());
            if (archives.length === 0 && !list.hasNextPage && isEmpty(filter)) return <NoArchives id={id} />;
            return (
              <div class={styles.page}>
                <Side archives={archives} filter={filter} onEarlier={() => void list.fetchNextPage()} />
                <Found
                  id={id}
                  archives={archives}
                  filter={filter}
                  list={list}
                  marked={marked}
                  mark={setMarked}
                />
              </div>
            );
          }}
        </QueryView>
      )}
    </RepositoryPage>
  );
}

interface FoundProps {
  id: number;
  archives: readonly Archive[];
  filter: Filter;
  list: ReturnType<typeof useArchives>;
  marked: readonly Archive[] | null;
  mark: (archives: Archive[]) => void;
}

function Found({ id, archives, filter, list, marked, mark }: FoundProps) {
  const columns = useColumns(id);
  const may = useMay();
  const day = filter.value('day');
  const rows = day ? archives.filter(({ start }) => localDay(start) === day) : archives;
  return (
    <div class={styles.found}>
      {marked && marked.length < 2 && <p role="status">{t.archives.markTwo(2 - marked.length)}</p>}
      {rows.length === 0 && !list.hasNextPage ? (
        <Empty action={<Button onClick={filter.clear}>{t.archives.showAll}</Button>}>
          {t.archives.noneMatches}
        </Empty>
      ) : (
        <DataList
          label={t.repository.tabs.archives}
          rows={rows}
          columns={columns}
          linkOf={({ name, start }) =>
            may('restore', id)
              ? [browseAddress(id, name), t.archives.browseOf(moment(start), name)]
              : undefined
          }
          actionsWidth={marked ? '5.75rem' : undefined}
          actions={(archive) => (
            <ArchiveActions
              repositoryId={id}
              archive={archive}
              isMarked={marked?.some((other) => other.id === archive.id)}
              canMark={marked !== null && marked.length < 2}
              onMark={(isMarked) =>
                mark(
                  isMarked
                    ? [...(marked ?? []), archive]
                    : (marked ?? []).filter((other) => other.id !== archive.id),
                )
              }
            />
          )}
        />
      )}
      {list.hasNextPage && <p role="status">{t.archives.onlyNewest(number(archives.length))}</p>}
      <NextPage query={list} />
    </div>
  );
}

/**
 * The list comes from the cache. This reads the repository, because other programs may have added archives.
 */
async function readAgain(id: number): Promise<void> {
  await read('/api/archives/list', { query: { repository_id: id, limit: 1 } }).queryFn({});
  outdate('/api/archives', '/api/overview');
  announce(t.archives.isRead);
}

const isEmpty = ({ value }: Filter) => !['name', 'schedule', 'day'].some(value);

function useArchives(id: number, { value }: Filter) {
  const name = useSettled(value('name'));
  const schedule = value('schedule');
  const query = useInfiniteQuery({
    ...readPages('/api/archives/list', {
      repository_id: id,
      limit: 1000,
      known_only: true,
      ...(name && { query: name }),
      ...(schedule && { schedule_id: Number(schedule) }),
    }),
    placeholderData: (before) => before,
  });
  // An order and a day are of all archives, not of those that happen to be loaded.
  const needsAll = Boolean(value('sort') || value('day'));
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  useEffect(() => {
    if (needsAll && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [needsAll, hasNextPage, isFetchingNextPage, isError]);
  return query;
}

interface SideProps {
  archives: readonly Archive[];
  filter: Filter;
  onEarlier: () => void;
}

/** Folded on a phone until something is chosen. */
function Side({ archives, filter, onEarlier }: SideProps) {
  const { value, set } = filter;
  const schedules = useRead('/api/schedule/');
  const [isOpen] = useState(() => matchMedia('(width >= 64rem)').matches || !isEmpty(filter));
  return (
    <search aria-label={t.activity.filter}>
      <More label={t.activity.filter} open={isOpen}>
        <TextField
          type="search"
          label={t.archives.name}
          value={value('name')}
          onValue={(name) => set('name', name)}
          maxLength={256}
        />
        <SelectField
          label={t.frame.kinds.schedule}
          value={value('schedule')}
          onValue={(schedule) => set('schedule', schedule)}
          options={[
            ['', t.common.all],
            ...(schedules.data?.jobs ?? []).map(({ id, name }) => [String(id), name] as const),
          ]}
        />
        <TextField
          type="date"
          label={t.archives.day}
          value={value('day')}
          onValue={(day) => set('day', day)}
        />
        <Calendar
          archives={archives}
          day={value('day')}
          onDay={(day) => set('day', day)}
          onEarlier={onEarlier}
        />
      </More>
    </search>
  );
}

function NoArchives({ id }: { id: number }) {
  const planned = useRead('/api/schedule/upcoming-jobs', { query: { hours: 8760 } });
  const next = planned.data?.upcoming_jobs.find(({ repositories }) =>
    repositories.some((repository) => repository.id === id),
  );
  return <Empty>{next ? t.archives.firstIsDue(moment(next.next_run)) : t.archives.nonePlanned}</Empty>;
}
