import { useId, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { outdate, type Schemas, useRead, write } from '../../api/api.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { useMay, useMayRestore } from '../../hub/may.js';
import { bytes, duration, moment, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { type Columns, Cut } from '../../ui/columns.js';
import type { Column } from '../../ui/data-list.rules.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { later } from '../../ui/later.js';
import { Menu } from '../../ui/menu.js';
import { ruleInWords } from '../../ui/rule-words.js';
import { State, StateMark } from '../../ui/state.js';
import { browseAddress } from '../browse/paths.rules.js';
import { restoreAddress } from '../restore/choice.rules.js';
import { ArchiveDetails } from './archive-details.js';
import styles from './archives.module.css';
import { isPrunedNext, secondsOf } from './archives.rules.js';
import type { Archive } from './archives-query.js';
import { PinArchive, pinText, UnpinArchive } from './pin.js';

const Lost = later(() => import('./lost.js'));

type Schedule = Schemas['ScheduleView'];

export function useColumns(repositoryId: number): (of: Columns<Archive>) => Column<Archive>[] {
  const schedules = useRead('/api/schedule/').data?.jobs ?? [];
  return (of) => [
    {
      key: 'date',
      head: t.common.date,
      width: '9.25rem',
      sort: ({ start }) => start,
      cell: ({ start }) => moment(start),
    },
    // Its own filter finds names, in the service.
    {
      key: 'name',
      head: t.common.name,
      sort: ({ name }) => name,
      cell: ({ name }) => <Cut text={name} />,
    },
    {
      key: 'by',
      head: t.archives.maker,
      sort: (archive) => makerOf(archive, schedules),
      cell: (archive) => <Maker archive={archive} repositoryId={repositoryId} schedules={schedules} />,
    },
    of.figure('took', t.activity.took, secondsOf, duration, '3.5rem'),
    of.figure('files', t.activity.files, ({ nfiles }) => nfiles, number, '3.5rem'),
    of.figure('original', t.archives.original, ({ original_size }) => original_size, bytes, '4.25rem'),
    of.figure('added', t.archives.added, ({ added_size }) => added_size, bytes, '4.25rem'),
  ];
}

function makerOf({ made_by, schedule_id, adopted }: Archive, schedules: readonly Schedule[]): string {
  const schedule = schedules.find(({ id }) => id === schedule_id)?.name;
  if (adopted && schedule) return t.archives.adoptedBy(schedule);
  return (made_by === 'schedule' && schedule) || t.archives.madeBy[made_by];
}

interface MakerProps {
  archive: Archive;
  repositoryId: number;
  schedules: readonly Schedule[];
}

/** With what is known of its quality, and of its end. */
function Maker({ archive, repositoryId, schedules }: MakerProps) {
  const { damaged, unsigned, kept_by, pinned } = archive;
  return (
    <span class={styles.marks}>
      {damaged && <State state="damaged" />}
      {unsigned && <State state="late" word={t.archives.unsigned} />}
      <bdi>{makerOf(archive, schedules)}</bdi>
      {pinned && (
        <span class={`muted ${styles.end} ${styles.pin}`} title={pinText(pinned)}>
          {t.archives.pinned}: <bdi>{pinText(pinned)}</bdi>
        </span>
      )}
      {kept_by !== null && !pinned && <span class="muted">{ruleInWords(kept_by)}</span>}
      {isPrunedNext(archive, repositoryId, schedules) && (
        <span class={`muted ${styles.end}`} title={t.archives.isPruned}>
          <StateMark state="off" /> {t.archives.prunedNext}
        </span>
      )}
    </span>
  );
}

interface ActionProps {
  repositoryId: number;
  archive: Archive;
  isMarked: boolean | undefined;
  canMark: boolean;
  onMark: (isMarked: boolean) => void;
}

type RowDialog = 'details' | 'pin' | 'unpin' | 'delete';

/** At the end of a row. */
export function ArchiveActions({ repositoryId, archive, isMarked, canMark, onMark }: ActionProps) {
  const [open, setOpen] = useState<RowDialog | null>(null);
  const close = () => setOpen(null);
  const when = moment(archive.start);
  return (
    <>
      {isMarked !== undefined && (
        <Mark label={t.archives.mark(when)} isMarked={isMarked} canMark={canMark} onMark={onMark} />
      )}
      <RowMenu repositoryId={repositoryId} archive={archive} when={when} open={setOpen} />
      {open === 'details' && <ArchiveDetails repositoryId={repositoryId} archive={archive} onClose={close} />}
      {open === 'pin' && <PinArchive repositoryId={repositoryId} archive={archive} onClose={close} />}
      {open === 'unpin' && <UnpinArchive repositoryId={repositoryId} archive={archive} onClose={close} />}
      {open === 'delete' && <DeleteArchive repositoryId={repositoryId} archive={archive} onClose={close} />}
    </>
  );
}

interface MarkProps {
  label: string;
  isMarked: boolean;
  canMark: boolean;
  onMark: (isMarked: boolean) => void;
}

function Mark({ label, isMarked, canMark, onMark }: MarkProps) {
  const id = useId();
  return (
    <span class={styles.mark}>
      <input
        id={id}
        type="checkbox"
        checked={isMarked}
        disabled={!isMarked && !canMark}
        onChange={(event) => onMark(event.currentTarget.checked)}
      />
      <label class="visually-hidden" for={id}>
        {label}
      </label>
    </span>
  );
}

interface MenuProps {
  repositoryId: number;
  archive: Archive;
  when: string;
  open: (dialog: RowDialog) => void;
}

function RowMenu({ repositoryId, archive, when, open }: MenuProps) {
  const [, navigate] = useLocation();
  const isAdmin = useIsAdmin();
  const may = useMay();
  const mayRestore = useMayRestore();
  const whole = { repositoryId, archive: archive.name, paths: [''] };
  if (!may('restore', repositoryId)) return null;
  return (
    <Menu
      label={t.archives.actionsOf(when)}
      items={[
        {
          label: t.archives.browse,
          onSelect: () => navigate(browseAddress(repositoryId, archive.name)),
        },
        {
          label: mayRestore(repositoryId) ? t.archives.restore : t.archives.download,
          onSelect: () => navigate(restoreAddress(whole, sessionStorage)),
        },
        { label: t.common.details, onSelect: () => open('details') },
        ...(may('operate', repositoryId) ? [{ label: t.archives.pin, onSelect: () => open('pin') }] : []),
        ...(isAdmin && archive.pinned
          ? [{ label: t.archives.unpin, danger: true, onSelect: () => open('unpin') }]
          : []),
        ...(isAdmin && !archive.pinned
          ? [{ label: t.common.delete, danger: true, onSelect: () => open('delete') }]
          : []),
      ]}
    />
  );
}

interface DialogProps {
  repositoryId: number;
  archive: Archive;
  onClose: () => void;
}

function DeleteArchive({ repositoryId, archive, onClose }: DialogProps) {
  const lost = useRead('/api/archives/{archive_id}/lost-files', {
    path: { archive_id: archive.id },
    query: { repository_id: repositoryId },
  });
  return (
    <ConfirmDialog
      title={t.archives.deleteTitle(moment(archive.start))}
      action={t.archives.deleteAction}
      danger
      typed={archive.name}
      onClose={onClose}
      onConfirm={async () => {
        await write('DELETE', '/api/archives/{archive_id}', {
          path: { archive_id: archive.id },
          query: { repository_id: repositoryId },
        });
        announce(t.archives.deletionStarted);
        outdate('/api/jobs', '/api/overview');
      }}
    >
      <p>{t.archives.deleteMeans}</p>
      {lost.data && <Lost lost={lost.data.lost} />}
    </ConfirmDialog>
  );
}
