import { useQuery } from '@tanstack/preact-query';
import { useId, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { api, read } from '../../api/api.js';
import { answer } from '../../api/client.js';
import { outdate } from '../../api/query-client.js';
import { user as signedIn } from '../../hub/link.js';
import { bytes, duration, moment, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { announce } from '../../ui/announce.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { ListItem } from '../../ui/list.js';
import { Menu } from '../../ui/menu.js';
import { ruleInWords } from '../../ui/rule-words.js';
import { State } from '../../ui/state.js';
import { browseAddress } from '../browse/paths.rules.js';
import { restoreAddress } from '../restore/choice.rules.js';
import { ArchiveDetails } from './archive-details.js';
import styles from './archives.module.css';
import { secondsOf } from './archives.rules.js';
import type { Archive } from './archives-query.js';

interface RowProps {
  repositoryId: number;
  archive: Archive;
  isMarked: boolean | undefined;
  canMark: boolean;
  onMark: (isMarked: boolean) => void;
}

export function ArchiveRow({ repositoryId, archive, isMarked, canMark, onMark }: RowProps) {
  const [open, setOpen] = useState<'details' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const when = moment(archive.start);
  return (
    <ListItem
      href={browseAddress(repositoryId, archive.name)}
      label={t.archives.browseOf(when, archive.name)}
      title={when}
      note={
        <>
          <bdi>{archive.name}</bdi>
          <Badges archive={archive} />
        </>
      }
      actions={
        <>
          {isMarked !== undefined && (
            <Mark label={t.archives.mark(when)} isMarked={isMarked} canMark={canMark} onMark={onMark} />
          )}
          <RowMenu repositoryId={repositoryId} archive={archive} when={when} open={setOpen} />
          {open === 'details' && (
            <ArchiveDetails repositoryId={repositoryId} archive={archive} onClose={close} />
          )}
          {open === 'delete' && (
            <DeleteArchive repositoryId={repositoryId} archive={archive} onClose={close} />
          )}
        </>
      }
    >
      <Figures archive={archive} />
    </ListItem>
  );
}

function Badges({ archive }: { archive: Archive }) {
  const schedules = useQuery(read('/api/schedule/'));
  const { made_by, schedule_id, kept_by, adopted, damaged, unsigned } = archive;
  const schedule = schedules.data?.jobs.find(({ id }) => id === schedule_id)?.name;
  return (
    <span class={styles.badges}>
      {damaged && <State state="damaged" />}
      {unsigned && <span class={styles.badge}>{t.archives.unsigned}</span>}
      <span class={styles.badge}>
        {made_by === 'schedule' && schedule && !adopted ? <bdi>{schedule}</bdi> : t.archives.madeBy[made_by]}
      </span>
      {adopted && schedule && <span class={styles.badge}>{t.archives.adoptedBy(schedule)}</span>}
      {kept_by !== null && <span class={styles.badge}>{ruleInWords(kept_by)}</span>}
    </span>
  );
}

function Figures({ archive }: { archive: Archive }) {
  const seconds = secondsOf(archive);
  const { nfiles, original_size, added_size } = archive;
  return (
    <dl class={styles.figures}>
      <Figure name={t.archives.took} value={seconds === null ? null : duration(seconds)} />
      <Figure name={t.archives.files} value={nfiles === null ? null : number(nfiles)} />
      <Figure name={t.archives.original} value={original_size === null ? null : bytes(original_size)} />
      <Figure name={t.archives.added} value={added_size === null ? null : bytes(added_size)} />
    </dl>
  );
}

const Figure = ({ name, value }: { name: string; value: string | null }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value ?? '–'}</dd>
  </div>
);

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
  open: (dialog: 'details' | 'delete') => void;
}

function RowMenu({ repositoryId, archive, when, open }: MenuProps) {
  const [, navigate] = useLocation();
  const isAdmin = useStore(signedIn)?.is_admin;
  const whole = { repositoryId, archive: archive.name, paths: [''] };
  return (
    <Menu
      label={t.archives.actionsOf(when)}
      items={[
        {
          label: t.archives.browse,
          onSelect: () => navigate(browseAddress(repositoryId, archive.name)),
        },
        {
          label: isAdmin ? t.archives.restore : t.archives.download,
          onSelect: () => navigate(restoreAddress(whole, sessionStorage)),
        },
        { label: t.common.details, onSelect: () => open('details') },
        ...(isAdmin ? [{ label: t.common.delete, danger: true, onSelect: () => open('delete') }] : []),
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
  return (
    <ConfirmDialog
      title={t.archives.deleteTitle(moment(archive.start))}
      action={t.archives.deleteAction}
      danger
      typed={archive.name}
      onClose={onClose}
      onConfirm={async () => {
        await answer(
          api.DELETE('/api/archives/{archive_id}', {
            params: { path: { archive_id: archive.id }, query: { repository_id: repositoryId } },
          }),
        );
        announce(t.archives.deletionStarted);
        outdate('/api/jobs', '/api/overview');
      }}
    >
      <p>{t.archives.deleteMeans}</p>
    </ConfirmDialog>
  );
}
