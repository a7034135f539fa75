import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answer } from '../../api/client.js';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { List } from '../../ui/list.js';
import { ErrorText, Notice } from '../../ui/notice.js';
import { Progress } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { useAction } from '../../ui/use-action.js';
import { archivesQuery } from '../archives/archives-query.js';
import { FoundFile } from './found-file.js';
import { newestFirst } from './search.rules.js';

type Repository = { id: number; name: string };
const limit = 200;

/** A file by a part of its name, in all archives of each repository: first in those whose files are known already. */
export const FileSearch = ({ text, repositories }: { text: string; repositories: readonly Repository[] }) => (
  <>
    {repositories.map((repository) => (
      <InRepository key={repository.id} text={text} repository={repository} />
    ))}
  </>
);

interface InRepositoryProps {
  text: string;
  repository: Repository;
}

function InRepository({ text, repository: { id, name } }: InRepositoryProps) {
  const query = useQuery({
    queryKey: ['search', id, text],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/archives/search', {
          params: { query: { repository_id: id, query: text, limit, cached_only: true } },
          signal,
        }),
      ),
    staleTime: 0,
  });
  const archives = useQuery(archivesQuery(id));
  const starts = new Map((archives.data?.archives ?? []).map((archive) => [archive.name, archive.start]));
  const found = query.data?.items.length;
  useEffect(() => {
    if (found !== undefined) announce(t.restore.found(found, number(found), name));
  }, [found]);
  return (
    <QueryView query={query}>
      {({ items, not_searched, truncated }) => (
        <>
          <h3>
            <bdi>{name}</bdi>: {t.restore.foundHere(items.length, number(items.length))}
          </h3>
          {items.length > 0 && (
            <List label={t.restore.found(items.length, number(items.length), name)}>
              {items.map((item) => (
                <FoundFile key={item.path} repositoryId={id} item={item} starts={starts} />
              ))}
            </List>
          )}
          {truncated && <Notice>{t.restore.foundMore}</Notice>}
          {(not_searched.length > 0 || archives.data?.archives.length === 0) && (
            <SearchMore id={id} names={newestFirst(not_searched, starts)} onRead={() => query.refetch()} />
          )}
        </>
      )}
    </QueryView>
  );
}

interface MoreProps {
  id: number;
  names: readonly string[];
  /** The files of one more archive are known. */
  onRead: () => Promise<unknown>;
}

/** Reads the lists of files that are missing, the newest archive first; what it finds is shown as it comes. */
function SearchMore({ id, names, onRead }: MoreProps) {
  const [done, setDone] = useState<{ count: number; of: number } | null>(null);
  const stop = useRef<AbortController>();
  useEffect(() => () => stop.current?.abort(), []);
  const { run, isBusy, error } = useAction(async () => {
    const ending = new AbortController();
    stop.current = ending;
    const all = [...names];
    for (const [count, name] of all.entries()) {
      setDone({ count, of: all.length });
      const read = answer(
        api.GET('/api/archives/{archive_id}/contents', {
          params: { path: { archive_id: name }, query: { repository_id: id, limit: 1 } },
          signal: ending.signal,
        }),
      );
      await read.catch((reason) => {
        if (!ending.signal.aborted) throw reason;
      });
      if (ending.signal.aborted) return;
      await onRead();
    }
  });
  if (names.length === 0 && !isBusy) return <p class="muted">{t.restore.noArchive}</p>;
  return (
    <Notice
      kind={error ? 'warning' : 'info'}
      action={
        isBusy ? (
          <Button onClick={() => stop.current?.abort()}>{t.restore.stop}</Button>
        ) : (
          <Button look="primary" onClick={() => void run()}>
            {t.restore.searchThem(names.length)}
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
        t.restore.notSearched(names.length, number(names.length))
      )}
    </Notice>
  );
}
