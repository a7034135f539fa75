import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { HoldfastError } from '../../api/client.js';
import { download } from '../../api/download.js';
import { isError } from '../../api/query-client.js';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Button, ButtonLink } from '../../ui/button.js';
import type { Sorting } from '../../ui/data-list.rules.js';
import { Empty, Row } from '../../ui/layout.js';
import { ErrorNotice } from '../../ui/notice.js';
import { Progress } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { useAction } from '../../ui/use-action.js';
import { Breadcrumbs } from './breadcrumbs.js';
import styles from './browse.module.css';
import { FileDialog } from './file-dialog.js';
import { FileGrid } from './file-grid.js';
import { FirstBrowse } from './first-browse.js';
import { type Entry, type Place, useFolder } from './folder.js';
import { browseAddress, parentOf } from './paths.rules.js';
import { mostPaths, type Selection, toggle } from './selection.rules.js';
import { Sizes } from './sizes.js';

export interface Chosen {
  selection: Selection;
  /** `file`: the path that was added is a file. */
  choose: (selection: Selection, file?: string) => void;
}

interface FolderProps {
  place: Place;
  chosen: Chosen;
  sorting: Sorting;
  sort: (sorting: Sorting) => void;
}

/**
 * The last folder, to focus it after going up; and the next one on the way through folders with one entry.
 */
const way: { last: Place | null; next: string | null } = { last: null, next: '' };
/** Where files are below the fold, the picture waits for its button. */
const sizes = { areShown: matchMedia('(width >= 64rem)').matches };
export const forgetWay = (): void => {
  way.last = null;
  way.next = '';
};

export function Folder({ place, chosen, sorting, sort }: FolderProps) {
  const [text, setText] = useState('');
  const [areSizesShown, showSizes] = useState(sizes.areShown);
  const [, navigate] = useLocation();
  const { query, whole, total, read, ...shown } = useFolder(place, text, sorting);
  const handlers = useHandlers(place, chosen);
  const came = useRef(way.last?.archive === place.archive ? way.last : null);
  const isInside = came.current?.archive === place.archive;
  const only = query.data?.total === 1 ? query.data.items[0] : undefined;
  const goesOn = only?.type === 'directory' && way.next === place.path;
  useEffect(() => {
    if (!query.data) return;
    if (!goesOn) {
      way.last = place;
      way.next = null;
      return;
    }
    way.next = only.path;
    navigate(browseAddress(place.repositoryId, place.archive, only.path), { replace: true });
  }, [query.data]);
  useEffect(() => {
    if (query.data) announce(t.browse.entries(total, number(total)));
  }, [query.data === undefined, total]);
  if (query.data === undefined && !query.error) return <FirstBrowse {...place} />;
  if (isError(query.error, 404))
    return <NotHere place={place} isArchive={(query.error as HoldfastError).code === 'archive_unknown'} />;
  return (
    <>
      <Breadcrumbs place={place} />
      <Filter place={place} text={text} setText={setText}>
        <Button
          look="quiet"
          aria-expanded={areSizesShown}
          onClick={() => {
            sizes.areShown = !areSizesShown;
            showSizes(sizes.areShown);
          }}
        >
          {t.browse.sizes.show}
        </Button>
      </Filter>
      {whole.isFetching && <Progress percent={null} label={t.common.loading} />}
      {whole.error ? <ErrorNotice error={whole.error} /> : null}
      <QueryView query={query}>
        {() =>
          goesOn ? null : (
            <>
              {areSizesShown && <Sizes entries={read} total={total} onOpen={handlers.onOpen} />}
              <FileGrid
                key={`${place.archive} ${text === ''}`}
                label={t.browse.entriesOf(place.path || '/')}
                total={total}
                {...shown}
                onSort={sort}
                selection={chosen.selection}
                onUp={() => place.path !== '' && handlers.openFolder(parentOf(place.path))}
                from={came.current?.path}
                takesFocus={isInside && text === ''}
                {...handlers}
              />
            </>
          )
        }
      </QueryView>
      {handlers.dialog}
    </>
  );
}

/** Actions of rows in folders and search results. */
export function useHandlers(place: Place, { selection, choose }: Chosen) {
  const { repositoryId, archive } = place;
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<Entry | null>(null);
  const fetch = useAction((entry: Entry) =>
    download({
      repositoryId,
      archive,
      paths: [entry.path],
      packing: entry.type === 'file' ? null : 'zip',
    }),
  );
  const openFolder = (path: string) => navigate(browseAddress(repositoryId, archive, path));
  return {
    openFolder,
    onOpen: (entry: Entry) => {
      if (entry.type !== 'directory') return setOpen(entry);
      way.next = entry.path;
      openFolder(entry.path);
    },
    onDownload: (entry: Entry) => void fetch.run(entry),
    onToggle: ({ path, size, type }: Entry) => {
      const next = toggle(selection, path, size);
      if (next.size <= mostPaths) choose(next, type === 'file' ? path : undefined);
      else announce(t.browse.atMost(number(mostPaths)));
    },
    dialog: (
      <>
        {fetch.error ? <ErrorNotice error={fetch.error} /> : null}
        {open && (
          <FileDialog
            repositoryId={repositoryId}
            archive={archive}
            entry={open}
            onClose={() => setOpen(null)}
          />
        )}
      </>
    ),
  };
}

interface FilterProps {
  place: Place;
  text: string;
  setText: (text: string) => void;
  children: ComponentChildren;
}

/** Filters the folder; from two letters on, it offers to look further. `/` leads to it. */
function Filter({ place: { repositoryId, archive, path }, text, setText, children }: FilterProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest?.(
        'input:not([type=checkbox]), textarea, select, dialog',
      );
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping) return;
      event.preventDefault();
      event.stopPropagation();
      input.current?.focus();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
  const find = text.trim();
  return (
    <div class={styles.filter}>
      <input
        ref={input}
        type="search"
        class={styles.search}
        aria-label={t.browse.filter}
        placeholder={t.browse.filter}
        aria-keyshortcuts="/"
        maxLength={256}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {children}
      {find.length > 1 && (
        <Row>
          <ButtonLink href={`${browseAddress(repositoryId, archive, path)}?${new URLSearchParams({ find })}`}>
            {t.browse.searchArchive}
          </ButtonLink>
          <ButtonLink href={`/restore?${new URLSearchParams({ find, repository: String(repositoryId) })}`}>
            {t.browse.searchAll}
          </ButtonLink>
        </Row>
      )}
    </div>
  );
}

function NotHere({ place, isArchive }: { place: Place; isArchive: boolean }) {
  const [, navigate] = useLocation();
  const text = isArchive ? t.browse.archiveGone : t.browse.folderMissing;
  useEffect(() => announce(text), []);
  if (isArchive) return <Empty>{text}</Empty>;
  const go = (path: string) => navigate(browseAddress(place.repositoryId, place.archive, path));
  return (
    <>
      <Breadcrumbs place={place} />
      <Empty action={<Button onClick={() => go('')}>{t.browse.toTop}</Button>}>{text}</Empty>
    </>
  );
}
