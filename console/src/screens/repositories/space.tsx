import { Link } from 'wouter-preact';
import { useRead } from '../../api/api.js';
import { bytes, number, percent } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { DataList } from '../../ui/data-list.js';
import { Section } from '../../ui/layout.js';
import { Meter } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { Time } from '../../ui/time.js';
import { FirstBrowse } from '../browse/first-browse.js';
import { type Entry, type Place, useFolder } from '../browse/folder.js';
import { Gate } from '../browse/gate.js';
import { browseAddress } from '../browse/paths.rules.js';
import { firstOf } from './overview.rules.js';
import styles from './repositories.module.css';

/** The largest folders of the newest archive. */
export function Space({ id }: { id: number }) {
  const query = useRead('/api/archives/list', { query: { repository_id: id, limit: 1, known_only: true } });
  return (
    <QueryView query={query} lines={4}>
      {({ archives }) =>
        archives.map(({ name, start }) => (
          <Section key={name} title={t.repository.space.title} card>
            <p class="small">
              {t.repository.space.of}{' '}
              <Link href={browseAddress(id, name)}>
                <bdi>{name}</bdi>
              </Link>{' '}
              (<Time at={start} />)
            </p>
            <Gate repositoryId={id} archive={name}>
              <Largest place={{ repositoryId: id, archive: name, path: '' }} />
            </Gate>
          </Section>
        ))
      }
    </QueryView>
  );
}

const most = 8;

/** Goes down while a folder is the only entry. */
function Largest({ place }: { place: Place }) {
  const { query, whole, total, entries } = useFolder(place, '', '-size');
  const only = total === 1 ? entries?.[0] : undefined;
  if (query.data === undefined && !query.error) return <FirstBrowse {...place} />;
  if (only?.type === 'directory') return <Largest key={only.path} place={{ ...place, path: only.path }} />;
  return (
    <QueryView<unknown> query={query.data && !entries ? whole : query}>
      {() => entries && <Entries place={place} entries={entries} />}
    </QueryView>
  );
}

function Entries({
  place: { repositoryId, archive, path },
  entries,
}: {
  place: Place;
  entries: readonly Entry[];
}) {
  const { shown, count, size, total } = firstOf(entries, most);
  const share = (entry: Entry) => (100 * entry.size) / (total || 1);
  return (
    <>
      <p class={styles.paths}>
        <bdi>/{path}</bdi>
      </p>
      <DataList
        label={t.browse.entriesOf(`/${path}`)}
        isPart
        rows={shown}
        keyOf={(entry) => entry.path}
        empty={t.browse.noEntries}
        linkOf={(entry) => [
          browseAddress(repositoryId, archive, entry.type === 'directory' ? entry.path : path),
        ]}
        columns={(of) => [
          of.name(({ name }) => name),
          {
            key: 'share',
            head: '%',
            width: 'minmax(0, 1fr)',
            cell: (entry) => <Meter percent={share(entry)} label={percent(share(entry))} />,
          },
          of.figure('size', t.browse.size, (entry) => entry.size, bytes, '6rem'),
        ]}
        below={({ healthy, name_escaped }) =>
          [!healthy && t.browse.damaged, name_escaped && t.browse.escaped].filter(Boolean).join(', ')
        }
      />
      {count > 0 && (
        <p class={styles.line}>
          <Link href={browseAddress(repositoryId, archive, path)}>
            {t.repository.space.others(number(count), bytes(size))}
          </Link>
        </p>
      )}
    </>
  );
}
