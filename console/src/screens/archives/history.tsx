import { useQuery } from '@tanstack/preact-query';
import { read } from '../../api/api.js';
import type { Schemas } from '../../api/client.js';
import { useParameters } from '../../frame/navigation.js';
import { bytes, moment, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import type { ScreenProps } from '../../routes.js';
import { ByClick } from '../../ui/by-click.js';
import { Empty, Page } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { QueryView } from '../../ui/query-view.js';
import { browseAddress, nameOf, parentOf } from '../browse/paths.rules.js';
import { Fetch } from './fetch.js';

type Version = Schemas['PathHistory']['history'][number];

/** When a path appeared, changed and vanished, the latest first. */
export default function History({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const path = useParameters().get('path') ?? '';
  return (
    <Page
      title={t.archives.historyTitle(nameOf(path))}
      up={[t.archives.title, `/repositories/${id}/archives`]}
      lead={<bdi>{path}</bdi>}
    >
      <ByClick sentence={t.archives.historyNeeds} action={t.archives.historyStart}>
        <Versions id={id} path={path} />
      </ByClick>
    </Page>
  );
}

function Versions({ id, path }: { id: number; path: string }) {
  const query = useQuery({
    ...read('/api/archives/history', { query: { repository_id: id, path } }),
    queryKey: ['history', id, path],
  });
  return (
    <>
      {query.data === undefined && !query.error && <p role="status">{t.archives.searching}</p>}
      <QueryView query={query} lines={4}>
        {({ history, archives }) =>
          history.length === 0 ? (
            <Empty>{t.archives.neverThere(number(archives))}</Empty>
          ) : (
            <List label={t.archives.versions}>
              {history.toReversed().map((version) => (
                <VersionRow key={version.archive_id} id={id} path={path} version={version} />
              ))}
            </List>
          )
        }
      </QueryView>
    </>
  );
}

function VersionRow({ id, path, version }: { id: number; path: string; version: Version }) {
  const { state, archive, type, size, start } = version;
  const isFolder = type === 'directory';
  const note = state === 'vanished' || size === undefined || isFolder ? '' : ` · ${bytes(size)}`;
  return (
    <ListItem
      title={moment(start)}
      note={`${t.archives.states[state]}${note}`}
      {...(state !== 'vanished' && {
        href: browseAddress(id, archive, isFolder ? path : parentOf(path)),
        label: t.archives.browseOf(moment(start), archive),
        actions: <Fetch repositoryId={id} archive={archive} path={path} type={type ?? 'file'} />,
      })}
    />
  );
}
