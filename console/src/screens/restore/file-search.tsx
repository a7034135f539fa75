import { useQueries } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answer } from '../../api/client.js';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { List } from '../../ui/list.js';
import { ErrorNotice, ErrorText, Notice } from '../../ui/notice.js';
import { Progress } from '../../ui/progress.js';
import { Skeleton } from '../../ui/query-view.js';
import { useAction } from '../../ui/use-action.js';
import { archivesQuery } from '../archives/archives-query.js';
import { FoundFile } from './found-file.js';
import { type ArchiveName, newestFirst } from './search.rules.js';

type Repository = { id: number; name: string };
const limit = 200;

/** Looks only into archives whose files are known already: no tool is started. */
const searchQuery = (id: number, text: string) => ({
  queryKey: ['search', id, text],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    answer(
      api.GET('/api/archives/search', {
        params: { query: { repository_id: id, query: text, limit, cached_only: true, known_only: true } },
        signal,
      }),
    ),
  staleTime: 0,
});

interface SearchProps {
  text: string;
  repositories: readonly Repository[];
}

/** A file by a part of its name, in all archives of the repositories. */
export function FileSearch({ text, repositories }: SearchProps) {
  const searches = useQueries({ queries: repositories.map(({ id }) => searchQuery(id, text)) });
  const lists = useQueries({ queries: repositories.map(({ id }) => archivesQuery(id)) });
  const startsOf = (at: number) =>
    new Map((lists[at]?.data?.archives ?? []).map(({ name, start }) => [name, start] as const));
  const isLoading = searches.some(({ isLoading: one }) => one);
  const found = searches.reduce((sum, { data }) => sum + (data?.items.length ?? 0), 0);
  const missing = newestFirst(
    searches.flatMap(({ data }, at) =>
      (data?.not_searched ?? []).map((name) => ({
        repositoryId: repositories[at]?.id ?? 0,
        name,
        start: startsOf(at).get(name) ?? '',
      })),
    ),
  );
  useEffect(() => {
    if (!isLoading) announce(t.restore.found(found, number(found)));
  }, [isLoading, found]);
  if (isLoading) return <Skeleton lines={3} />;
  return (
    <>
      <h3>{t.restore.found(found, number(found))}</h3>
      {missing.length > 0 && (
        <SearchMore
          archives={missing}
          onRead={(id) => searches[repositories.findIndex((one) => one.id === id)]?.refetch()}
        />
      )}
      {repositories.map((repository, at) => {
        const { data, error } = searches[at] ?? {};
        // Without the dates of the archives, nobody knows which version is the newest.
        const isDated = !lists[at]?.isLoading;
        return (
          <div key={repository.id}>
            {error ? <ErrorNotice error={error} /> : null}
            {data && data.items.length > 0 && !isDated && <Skeleton lines={2} />}
            {data && data.items.length > 0 && isDated && (
              <List label={t.restore.foundIn(repository.name)}>
                {data.items.map((item) => (
                  <FoundFile
                    key={item.path}
                    repository={repository}
                    item={item}
                    starts={startsOf(at)}
                    isNamed={repositories.length > 1}
                  />
                ))}
              </List>
            )}
            {data?.truncated && <Notice>{t.restore.foundMore}</Notice>}
          </div>
        );
      })}
    </>
  );
}

interface MoreProps {
  archives: readonly ArchiveName[];
  /** The files of one more archive of this repository are known. */
  onRead: (repositoryId: number) => Promise<unknown> | undefined;
}

/** Reads the lists of files that are missing, the newest archive first; what it finds is shown as it comes. */
function SearchMore({ archives, onRead }: MoreProps) {
  const [done, setDone] = useState<{ count: number; of: number } | null>(null);
  const stop = useRef<AbortController>();
  const latest = useRef(onRead);
  latest.current = onRead;
  useEffect(() => () => stop.current?.abort(), []);
  const { run, isBusy, error } = useAction(async () => {
    const ending = new AbortController();
    stop.current = ending;
    try {
      for (const [count, archive] of archives.entries()) {
        setDone({ count, of: archives.length });
        await readList(archive, ending.signal);
        await latest.current(archive.repositoryId);
      }
    } catch (reason) {
      if (!ending.signal.aborted) throw reason;
    }
  });
  return (
    <Notice
      kind={error ? 'warning' : 'info'}
      action={
        isBusy ? (
          <Button onClick={() => stop.current?.abort()}>{t.restore.stop}</Button>
        ) : (
          <Button look="primary" onClick={() => void run()}>
            {t.restore.searchThem(archives.length)}
          </Button>
        )
      }
    >
      {error ? <ErrorText error={error} /> : null}
      {isBusy && done ? (
        <Progress
          percent={(100 * done.count) / done.of}
          label={t.restore.readingArchives}
          note={t.restore.readingArchive(done.count + 1, done.of)}
        />
      ) : (
        <p>{t.restore.notSearched(archives.length, number(archives.length))}</p>
      )}
    </Notice>
  );
}

/** Has the list of files made. A moment passes between its first use and its being kept. */
async function readList({ repositoryId, name }: ArchiveName, signal: AbortSignal): Promise<void> {
  const params = { path: { archive_id: name }, query: { repository_id: repositoryId } };
  const first = { ...params, query: { ...params.query, limit: 1 } };
  await answer(api.GET('/api/archives/{archive_id}/contents', { params: first, signal }));
  for (let tries = 0; tries < 20; tries += 1) {
    const { state } = await answer(api.GET('/api/archives/{archive_id}/listing', { params, signal }));
    if (state === 'cached') return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
