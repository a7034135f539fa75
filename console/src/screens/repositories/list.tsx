import { useQuery } from '@tanstack/preact-query';
import { Eye } from 'lucide-preact';
import { useLocation, useSearch } from 'wouter-preact';
import { read } from '../../api/api.js';
import { overviewQuery } from '../../api/overview.js';
import { user as signedIn } from '../../hub/link.js';
import { ago, bytes, number, percent } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { useStore } from '../../store.js';
import { ButtonLink } from '../../ui/button.js';
import { Empty } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { QueryView } from '../../ui/query-view.js';
import { State, stateOf } from '../../ui/state.js';
import { Time, useMinute } from '../../ui/time.js';
import { BackupDialog } from './backup-dialog.js';
import styles from './list.module.css';
import { byNeed, type Row } from './need.rules.js';

/** All repositories, those that need attention first. `?backup` offers to back one up. */
export default function Repositories() {
  const isAdmin = useStore(signedIn)?.is_admin;
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
          if (rows.length === 0) return <Empty action={add}>{t.repository.empty}</Empty>;
          return (
            <>
              <div class={styles.table}>
                <div class={styles.head} aria-hidden="true">
                  <span>{t.repository.columns.name}</span>
                  <span>{t.repository.columns.state}</span>
                  <span>{t.repository.columns.newest}</span>
                  <span>{t.repository.columns.size}</span>
                  <span>{t.repository.columns.next}</span>
                </div>
                <List label={t.repository.title}>
                  {rows.map((row) => (
                    <RepositoryRow key={row.id} row={row} />
                  ))}
                </List>
              </div>
              {isBackup && settings.data && (
                <BackupDialog rows={rows} onClose={() => navigate('/repositories', { replace: true })} />
              )}
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

function RepositoryRow({ row }: { row: Row }) {
  useMinute();
  const { id, name, newest_archive: newest, archive_count, size_bytes, next_run, running, about } = row;
  const state = stateOf(row);
  const newestWords = newest ? t.repository.newest(ago(newest)) : t.repository.noArchive;
  return (
    <ListItem
      href={`/repositories/${id}`}
      label={[name, t.common.states[state], newestWords].join(', ')}
      title={<bdi>{name}</bdi>}
      note={<Place row={row} />}
    >
      <div class={styles.cells}>
        <div>
          <State state={state} />
          {running && (
            <State
              state="running"
              word={running.percent > 0 ? percent(running.percent) : t.common.states.running}
            />
          )}
        </div>
        <div>
          <span class={styles.label}>{t.repository.columns.newest}: </span>
          {newest ? <Time plain at={newest} /> : t.repository.noArchive}
          <span class="muted small">{t.common.archives(archive_count, number(archive_count))}</span>
        </div>
        <div>
          <span class={styles.label}>{t.repository.columns.size}: </span>
          {size_bytes === null ? '–' : bytes(size_bytes)}
        </div>
        <div>
          <span class={styles.label}>{t.repository.columns.next}: </span>
          {next_run ? (
            <Time plain at={next_run} />
          ) : about?.mode === 'observe' ? (
            '–'
          ) : (
            t.repository.nothingPlanned
          )}
        </div>
      </div>
    </ListItem>
  );
}

/** The location, and whether it is monitored only. */
function Place({ row: { about } }: { row: Row }) {
  if (!about) return <>&nbsp;</>;
  return (
    <>
      {about.mode === 'observe' && (
        <>
          <Eye aria-hidden="true" size={14} class={styles.eye} /> {t.repository.observed} ·{' '}
        </>
      )}
      <bdi>{about.host ?? t.repository.thisMachine}</bdi>
      {about.open_error && <> · {t.repository.cannotOpen}</>}
    </>
  );
}
