import { useId, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useRead } from '../api/api.js';
import { startBackup } from '../api/start-backup.js';
import { useMay } from '../hub/may.js';
import type { User } from '../hub/protocol.js';
import { t } from '../i18n/messages.js';
import { Dialog } from '../ui/dialog.js';
import { ErrorNotice } from '../ui/notice.js';
import { useAction } from '../ui/use-action.js';
import styles from './palette.module.css';
import { chooseTheme, theme, themes } from './theme.js';

interface Entry {
  id: string;
  text: string;
  kind: string;
  href?: string;
  /** What it does instead of leading somewhere. @returns where to go afterwards. */
  act?: () => Promise<string> | undefined;
}

interface PaletteProps {
  user: User;
  onClose: () => void;
  openCommands: () => void;
}

/**
 * Search and commands: a combobox over pages, repositories, schedules and actions. Other texts are searched
 * in the archives.
 */
export function Palette({ user, onClose, openCommands }: PaletteProps) {
  const id = useId();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const may = useMay();
  const known = useRead('/api/repositories/').data?.repositories ?? [];
  const planned = useRead('/api/schedule/').data?.jobs ?? [];
  const found = matching(text, [
    ...pages(user, may('restore')),
    { id: 'commands', text: t.frame.commands, kind: t.frame.kinds.command, act: () => void openCommands() },
    ...repositories(known),
    ...schedules(planned),
    ...commands(known.filter(({ id }) => may('operate', id))),
    ...themeCommands(),
  ]);
  const entries = may('restore') ? withFiles(text.trim(), found) : found;
  const action = useAction(async (entry: Entry) => {
    const href = entry.href ?? (await entry.act?.());
    onClose();
    if (href) navigate(href);
  });
  const open = (entry: Entry | undefined) => entry && void action.run(entry);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, entries.length));
    else if (event.key === 'ArrowUp') setAt((at - 1 + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') open(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t.frame.search} onClose={onClose}>
      <div class={styles.palette}>
        <input
          class={styles.input}
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[at] ? `${id}-${entries[at].id}` : undefined}
          aria-label={t.frame.searchHint}
          placeholder={t.frame.searchHint}
          autofocus
          autoComplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
        <div role="listbox" id={`${id}-list`} aria-label={t.frame.search} class={styles.list}>
          {entries.map((entry, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: as above.
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field.
            <div
              key={entry.id}
              id={`${id}-${entry.id}`}
              role="option"
              aria-selected={index === at}
              onClick={() => open(entry)}
            >
              <span>{entry.text}</span>
              <span class={styles.kind}>{entry.kind}</span>
            </div>
          ))}
        </div>
        {action.error ? <ErrorNotice error={action.error} /> : null}
      </div>
    </Dialog>
  );
}

function pages({ is_admin, role }: User, canRestore: boolean): Entry[] {
  const { place, page } = t.frame;
  const isUnlimited = role !== 'limited';
  const all: [string, string, boolean][] = [
    [place.home, '/', true],
    [place.repositories, '/repositories', true],
    [t.frame.restoreFiles, '/restore', canRestore],
    [place.schedules, '/schedules', true],
    [place.activity, '/activity', true],
    [place.settings, '/settings', true],
    [page.incidents, '/settings/incidents', true],
    [page.add, '/add', is_admin],
    [page.newSchedule, '/schedules/new', is_admin],
    [page.notifications, '/settings/notifications', isUnlimited],
    [page.hosts, '/settings/hosts', isUnlimited],
    [page.sourceSets, '/settings/source-sets', isUnlimited],
    [page.scripts, '/settings/scripts', isUnlimited],
    [page.people, '/settings/people', true],
    [page.movingIn, '/settings/moving-in', is_admin],
    [page.borgmatic, '/settings/moving-in/borgmatic', is_admin],
    [page.recovery, '/settings/recovery', is_admin],
    [page.audit, '/settings/audit', is_admin],
    [page.system, '/settings/system', isUnlimited],
    [t.frame.changePassword, '/password', true],
  ];
  return all
    .filter(([, , isShown]) => isShown)
    .map(([text, href]) => ({ id: `page${href.replaceAll('/', '-')}`, text, href, kind: page.kind }));
}

const repositories = (known: readonly { id: number; name: string }[]): Entry[] =>
  known.flatMap(({ id, name }) => [
    { id: `repository-${id}`, text: name, kind: t.frame.kinds.repository, href: `/repositories/${id}` },
    { id: `archives-${id}`, text: name, kind: t.frame.kinds.archives, href: `/repositories/${id}/archives` },
  ]);

const schedules = (known: readonly { id: number; name: string }[]): Entry[] =>
  known.map(({ id, name }) => ({
    id: `schedule-${id}`,
    text: name,
    kind: t.frame.kinds.schedule,
    href: `/schedules/${id}`,
  }));

const commands = (known: readonly { id: number; name: string; mode: string }[]): Entry[] =>
  known
    .filter(({ mode }) => mode === 'full')
    .map(({ id, name }) => ({
      id: `backup-${id}`,
      text: name,
      kind: t.frame.keys.backup,
      act: async () => `/activity/${await startBackup(id)}`,
    }));

const themeCommands = (): Entry[] =>
  themes
    .filter((other) => other !== theme.get())
    .map((other) => ({
      id: `theme-${other}`,
      text: t.frame.theme[other],
      kind: t.frame.kinds.command,
      act: () => void chooseTheme(other),
    }));

function matching(text: string, entries: Entry[]): Entry[] {
  const wanted = text.trim().toLocaleLowerCase();
  return entries
    .filter(({ text: own, kind }) => `${own} ${kind}`.toLocaleLowerCase().includes(wanted))
    .slice(0, 30);
}

const withFiles = (text: string, found: Entry[]): Entry[] =>
  text.length < 2
    ? found
    : [
        ...found,
        {
          id: 'files',
          text: t.frame.findFile(text),
          kind: t.frame.kinds.files,
          href: `/restore?find=${encodeURIComponent(text)}`,
        },
      ];
