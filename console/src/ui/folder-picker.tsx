import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { CornerLeftUp, Folder, FolderLock, FolderOpen, Vault } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { read } from '../api/api.js';
import { bytes } from '../i18n/format.js';
import { t } from '../i18n/messages.js';
import { announce } from './announce.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { TextField } from './field.js';
import styles from './folder-picker.module.css';
import { Row } from './layout.js';
import { QueryView } from './query-view.js';

interface PickerProps {
  title: string;
  /** The host of this SSH connection; null: this machine. */
  connectionId?: number | null;
  /** The typed text; the root if it is not an absolute path. */
  start?: string;
  onPick: (path: string) => void;
  onClose: () => void;
}

interface View {
  current_path: string;
  parent_path: string | null;
  free_bytes?: number | null;
  repository?: boolean;
  truncated?: boolean;
  items: {
    name: string;
    path: string;
    is_directory: boolean;
    readable?: boolean | null;
    repository?: boolean;
  }[];
}

const here = (path: string) => read('/api/filesystem/browse', { query: { path } });
const there = (path: string, connection_id: number) =>
  read('/api/ssh-keys/connections/{connection_id}/browse', { path: { connection_id }, query: { path } });

interface PickProps extends Omit<PickerProps, 'onClose'> {
  icon?: ComponentChildren;
  children: ComponentChildren;
}

/** The button that opens the picker. Screens that use it load the messages of `folders`. */
export function PickFolder({ icon = <FolderOpen aria-hidden="true" />, children, ...picker }: PickProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={icon} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {isOpen && <FolderPicker {...picker} onClose={() => setOpen(false)} />}
    </>
  );
}

/** A folder of this machine or of another host. */
function FolderPicker({ title, connectionId = null, start = '', onPick, onClose }: PickerProps) {
  const [path, setPath] = useState(start.startsWith('/') ? start : '/');
  const [typed, setTyped] = useState(path);
  const form = useRef<HTMLFormElement>(null);
  const query = useQuery({
    ...((connectionId === null ? here(path) : there(path, connectionId)) as ReturnType<typeof here>),
    staleTime: 0,
    placeholderData: keepPreviousData as never,
  });
  const view = query.data as View | undefined;
  const current = view?.current_path;
  const open = (wanted: string) => {
    setPath(wanted);
    setTyped(wanted);
  };
  useEffect(() => {
    if (current === undefined) return;
    // Keeps text typed while a slow host listed the folder.
    setTyped((now) => (now === path ? current : now));
    announce(t.folders.now(current));
    // The folder that was opened is gone from the list, and the focus with it.
    const list = form.current?.querySelector('ul');
    if (!form.current?.contains(document.activeElement)) list?.querySelector('button')?.focus();
    if (list) list.scrollTop = 0;
  }, [current]);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        class={styles.picker}
        onSubmit={(event) => {
          event.preventDefault();
          // The picker may be inside another form.
          event.stopPropagation();
          open(typed.trim() || '/');
        }}
      >
        <div class={styles.address}>
          <TextField label={t.folders.path} value={typed} onValue={setTyped} exact />
          <Button type="submit">{t.folders.go}</Button>
        </div>
        <QueryView query={query as { data: View | undefined } & typeof query}>
          {(folder) => <Folders folder={folder} open={open} />}
        </QueryView>
        <Row end>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button
            look="primary"
            disabled={current === undefined}
            onClick={() => {
              if (current === undefined) return;
              onPick(current);
              onClose();
            }}
          >
            {t.folders.choose}
          </Button>
        </Row>
      </form>
    </Dialog>
  );
}

function Folders({ folder, open }: { folder: View; open: (path: string) => void }) {
  const { parent_path: parent, items, free_bytes: free } = folder;
  const folders = items.filter((item) => item.is_directory);
  const files = items.length - folders.length;
  const notes = [
    folder.repository && t.folders.isRepository,
    typeof free === 'number' && t.folders.free(bytes(free)),
    files > 0 && t.folders.files(files),
    folder.truncated && t.folders.truncated,
  ].filter((note) => note !== false && note !== undefined);
  return (
    <>
      <ul class={styles.folders} aria-label={folder.current_path}>
        {parent !== null && parent !== folder.current_path && (
          <li>
            <button type="button" onClick={() => open(parent)}>
              <CornerLeftUp aria-hidden="true" size={18} />
              <span>{t.folders.up}</span>
            </button>
          </li>
        )}
        {folders.map(({ name, path, readable, repository }) => (
          <li key={path}>
            <button type="button" onClick={() => open(path)}>
              {repository ? (
                <Vault aria-hidden="true" size={18} />
              ) : readable === false ? (
                <FolderLock aria-hidden="true" size={18} />
              ) : (
                <Folder aria-hidden="true" size={18} />
              )}
              <bdi>{name}</bdi>
              {repository && <span class={styles.note}>{t.folders.repository}</span>}
              {readable === false && <span class={styles.note}>{t.folders.unreadable}</span>}
            </button>
          </li>
        ))}
        {folders.length === 0 && <li class={styles.none}>{t.folders.noFolders}</li>}
      </ul>
      {notes.length > 0 && <p class="muted small">{notes.join(' · ')}</p>}
    </>
  );
}
