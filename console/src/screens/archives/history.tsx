import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { read } from '../../api/api.js';
import { bytes, moment, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ByClick } from '../../shell/by-click.js';
import { useParameters } from '../../shell/navigation.js';
import { Page } from '../../shell/page.js';
import type { ScreenProps } from '../../shell/router.js';
import { DataList } from '../../ui/data-list.js';
import { Empty } from '../../ui/layout.js';
import { Progress } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { browseAddress, nameOf, parentOf } from '../browse/paths.rules.js';
import { Fetch } from './fetch.js';
import { makeList } from './read-list.js';

/** When a path appeared, changed and vanished, the latest first. */
export default function History({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const path = useParameters().get('path') ?? '';
  return (
    <Page
      title={t.archives.historyTitle(nameOf(path))}
      up={[t.frame.kinds.archives, `/repositories/${id}/archives`]}
      lead={<bdi>{path}</bdi>}
    >
      <ByClick sentence={t.archives.historyNeeds} action={t.archives.historyStart}>
        <Versions id={id} path={path} />
      </ByClick>
    </Page>
  );
}

/** Reads the lists of files that are missing one by one: their number says how far it is. */
function useLists(id: number, path: string) {
  const [state, setState] = useState({ count: 0, of: 0, isDone: false });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const query = { repository_id: id, query: nameOf(path) || '/', limit: 1, cached_only: true };
    const work = async () => {
      const { not_searched } = await read('/api/archives/search', { query }).queryFn({ signal });
      for (const [count, name] of not_searched.entries()) {
        setState({ count, of: not_searched.length, isDone: false });
        await makeList({ repositoryId: id, name }, signal);
      }
    };
    // The query itself shows or retries a failure.
    void work()
      .catch(() => undefined)
      .then(() => signal.aborted || setState((known) => ({ ...known, isDone: true })));
    return () => ending.abort();
  }, [id, path]);
  return state;
}

function Versions({ id, path }: { id: number; path: string }) {
  const { count, of, isDone } = useLists(id, path);
  const query = useQuery({
    enabled: isDone,
    ...read('/api/archives/history', { query: { repository_id: id, path } }),
    queryKey: ['history', id, path],
  });
  return (
    <>
      {query.data === undefined && !query.error && <p role="status">{t.archives.searching}</p>}
      {!isDone && of > 0 && (
        <Progress
          percent={(100 * count) / of}
          label={t.archives.searching}
          note={t.archives.readingArchive(count + 1, of)}
        />
      )}
      <QueryView query={query} lines={4}>
        {({ history, archives }) => (
          <DataList
            label={t.archives.versions}
            rows={history.toReversed()}
            keyOf={(version) => version.archive_id}
            empty={<Empty>{t.archives.neverThere(number(archives))}</Empty>}
            linkOf={({ state, archive, type, start }) =>
              state === 'vanished'
                ? undefined
                : [
                    browseAddress(id, archive, type === 'directory' ? path : parentOf(path)),
                    t.archives.browseOf(moment(start), archive),
                  ]
            }
            columns={(of) => [
              of.text('at', t.common.date, ({ start }) => moment(start), { sort: ({ start }) => start }),
              of.text('state', t.common.state, ({ state }) => t.archives.states[state]),
              of.figure(
                'size',
                t.repository.columns.size,
                ({ state, type, size }) => (state === 'vanished' || type === 'directory' ? null : size),
                bytes,
                '5rem',
              ),
            ]}
            actionsWidth="10rem"
            actions={({ state, archive, type }) =>
              state !== 'vanished' && (
                <Fetch repositoryId={id} archive={archive} path={path} type={type ?? 'file'} />
              )
            }
          />
        )}
      </QueryView>
    </>
  );
}
