import { useQuery } from '@tanstack/preact-query';
import { useLocation, useSearch } from 'wouter-preact';
import { read } from '../../api/api.js';
import { overviewQuery } from '../../api/overview.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { useMay } from '../../hub/may.js';
import { ago, bytes, number, percent } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { ButtonLink } from '../../ui/button.js';
import { type Columns, withTags } from '../../ui/columns.js';
import { DataList } from '../../ui/data-list.js';
import type { Column } from '../../ui/data-list.rules.js';
import { Empty } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { State, stateOf } from '../../ui/state.js';
import { useMinute } from '../../ui/time.js';
import { BackupDialog } from './backup-dialog.js';
import { byNeed, need, type Row } from './need.rules.js';

/** All repositories, those that need attention first. `?backup` offers to back one up. */
export default function Repositories() {
  useMinute();
  const isAdmin = useIsAdmin();
  const may = useMay();
  const overview = useQuery(overviewQuery());
  const settings = useQuery(read('/api/repositories/'));
  const [, navigate] = useLocation();
  const isBackup = new URLSearchParams(useSearch()).has('backup');
  const add = isAdmin && (
    <ButtonLink look="primary" href="/add">
      {t.repository.protectFolder}
    </ButtonLink>
  );
  return (
    <Page title={t.repository.title} actions={add}>
      <QueryView query={overview} lines={5}>
        {({ repositories }) => {
          const rows = byNeed(repositories, settings.data?.repositories ?? []);
          return (
            <>
              <DataList
                label={t.repository.title}
                rows={rows}
                columns={columns}
                linkOf={(row) => [`/repositories/${row.id}`, inWords(row)]}
                below={({ about }) => about?.open_error && t.repository.cannotOpen}
                empty={<Empty action={add}>{t.repository.empty}</Empty>}
              />
              {isBackup && settings.data && (
                <BackupDialog
                  rows={rows.filter(({ id }) => may('operate', id))}
                  onClose={() => navigate('/repositories', { replace: true })}
                />
              )}
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

const inWords = (row: Row): string =>
  [
    row.name,
    t.common.states[stateOf(row)],
    row.newest_archive ? t.repository.newest(ago(row.newest_archive)) : t.repository.noArchive,
  ].join(', ');

/** The host, and whether it is monitored only. */
const placeOf = ({ about }: Row) =>
  about &&
  [about.mode === 'observe' && t.repository.observed, about.host ?? t.repository.thisMachine]
    .filter(Boolean)
    .join(' · ');

const columns = (of: Columns<Row>): Column<Row>[] => [
  of.name(({ name }) => name, t.common.name, withTags),
  {
    key: 'state',
    head: t.common.state,
    width: '9.5rem',
    sort: need,
    cell: (row) => <States row={row} />,
  },
  of.text('place', t.repository.place, placeOf),
  of.time(
    'newest',
    t.repository.columns.newest,
    ({ newest_archive }) => newest_archive,
    t.repository.noArchive,
    '8rem',
  ),
  of.figure('archives', t.repository.tabs.archives, ({ archive_count }) => archive_count, number),
  of.figure('size', t.repository.columns.size, ({ size_bytes }) => size_bytes, bytes, '5rem'),
  of.time('next', t.repository.columns.next, ({ next_run }) => next_run, t.repository.nothingPlanned, '8rem'),
];

function States({ row }: { row: Row }) {
  const { running } = row;
  return (
    <>
      <State state={stateOf(row)} />
      {running && (
        <>
          {' '}
          <State
            state="running"
            word={running.percent > 0 ? percent(running.percent) : t.common.states.running}
          />
        </>
      )}
    </>
  );
}
