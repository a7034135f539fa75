import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { read } from '../../api/api.js';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { CheckField } from '../../ui/field.js';
import { ErrorText, Notice } from '../../ui/notice.js';
import { Progress } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { useAction } from '../../ui/use-action.js';
import { readList } from '../archives/read-list.js';
import { FoundFiles } from './found-file.js';
import { type ArchiveName, newestFirst, versionsOf } from './search.rules.js';

const limit = 200;

interface SearchProps {
  text: string;
  /** Limits the search to one repository. */
  repositoryId: number | undefined;
}

/** A file by a part of its name, in all archives whose files are known already: no tool is started. */
export function FileSearch({ text, repositoryId }: SearchProps) {
  const [deleted, setDeleted] = useState(false);
  const query = useQuery({
    ...read('/api/archives/search-everywhere', { query: { query: text, limit, deleted } }),
    queryKey: ['search', text, deleted],
    staleTime: 0,
  });
  const found = query.data?.repositories.filter(
    (one) => repositoryId === undefined || one.repository_id === repositoryId,
  );
  const count = found?.reduce((sum, { items }) => sum + items.length, 0);
  const files = (found ?? []).flatMap(({ repository_id: id, repository_name: name, items, archives }) => {
    const starts = new Map(archives.map((archive) => [archive.name, archive.start]));
    return items.map((item) => ({ repository: { id, name }, item, versions: versionsOf(item, starts) }));
  });
  const missing = newestFirst(
    (found ?? []).flatMap(({ repository_id, not_searched, archives }) => {
      const names = new Set(not_searched);
      const known = archives.filter(({ name }) => names.has(name));
      return known.map((archive) => ({ ...archive, repositoryId: repository_id }));
    }),
  );
  useEffect(() => {
    if (count !== undefined) announce(t.restore.found(count, number(count)));
  }, [count]);
  return (
    <>
      <CheckField label={t.restore.deletedOnly} checked={deleted} onChecked={setDeleted} />
      <QueryView query={query}>
        {() => (
          <>
            <h3>{t.restore.found(count ?? 0, number(count ?? 0))}</h3>
            {missing.length > 0 && !deleted && <SearchMore archives={missing} onRead={query.refetch} />}
            {missing.length > 0 && deleted && (
              <Notice>{t.plots.folders.notIndexed(missing.length, number(missing.length))}</Notice>
            )}
            {count ? <FoundFiles found={files} isGrouped={repositoryId === undefined} /> : null}
            {found?.some(({ truncated }) => truncated) && <Notice>{t.browse.foundMore}</Notice>}
          </>
        )}
      </QueryView>
    </>
  );
}

interface MoreProps {
  archives: readonly ArchiveName[];
  /** The files of one more archive are known. */
  onRead: () => Promise<unknown>;
}

/** Reads missing file lists, newest archive first, and shows results as they arrive. */
function SearchMore({ archives, onRead }: MoreProps) {
  const [done, setDone] = useState<{ count: number; of: number } | null>(null);
  const stop = useRef<AbortController>();
  useEffect(() => () => stop.current?.abort(), []);
  const { run, isBusy, error } = useAction(async () => {
    const ending = new AbortController();
    stop.current = ending;
    try {
      for (const [count, archive] of archives.entries()) {
        setDone({ count, of: archives.length });
        await readList(archive, ending.signal);
        await onRead();
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
          note={t.archives.readingArchive(done.count + 1, done.of)}
        />
      ) : (
        <p>{t.restore.notSearched(archives.length, number(archives.length))}</p>
      )}
    </Notice>
  );
}
