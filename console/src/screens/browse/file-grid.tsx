// biome-ignore-all lint/a11y/useFocusableInteractive: the rows of entries take the focus.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/messages.js';
import { Head } from '../../ui/data-list.js';
import list from '../../ui/data-list.module.css';
import type { Sorting } from '../../ui/data-list.rules.js';
import { Gap, useVirtualRows } from '../../ui/virtual-rows.js';
import styles from './browse.module.css';
import { columns } from './columns.js';
import { FileRow, type RowProps } from './file-row.js';
import type { Entry } from './folder.js';
import { nameOf } from './paths.rules.js';
import { isCovered, type Selection } from './selection.rules.js';

type Shared = 'largest' | 'withFolder' | 'onToggle' | 'onOpen' | 'onDownload';
interface GridProps extends Pick<RowProps, Shared> {
  label: string;
  total: number;
  /** Undefined while its page is being read. */
  entryAt: (index: number) => Entry | undefined;
  want?: (from: number, to: number) => void;
  sorted?: Sorting;
  /** Undefined: a part of all entries, which is not sorted. */
  onSort?: (sorted: Sorting) => void;
  selection: Selection;
  onUp: () => void;
  /** The folder one came up from: it gets the focus. */
  from?: string;
  /** The user came from another folder: moves the focus here. */
  takesFocus: boolean;
}

/** Entries as a list of data whose rows take the focus. Only what is near the visible part is drawn. */
export function FileGrid(props: GridProps) {
  const { label, total, entryAt, want, sorted, onSort, selection, from, takesFocus } = props;
  const grid = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(() => (from ? indexOf(from, entryAt, total) : 0));
  /** The row that takes the focus as soon as it is drawn. */
  const wanted = useRef<number | null>(takesFocus ? active : null);
  const calls = useLastingCalls(props);
  const { rows, before, after, measure, show } = useVirtualRows(grid, total, 40);
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  useEffect(() => want?.(first, last), [first, last]);
  useEffect(() => {
    if (active > 0) show(active);
  }, []);
  useLayoutEffect(() => {
    const row = grid.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });
  const go = (index: number) => {
    const next = Math.max(0, Math.min(total - 1, index));
    wanted.current = next;
    setActive(next);
    show(next);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: total - 1 }[event.key];
    const paged = { PageDown: active + 10, PageUp: active - 10 }[event.key];
    const entry = entryAt(active);
    if (to !== undefined || paged !== undefined) go((to ?? paged) as number);
    else if (event.key === 'Backspace') props.onUp();
    else if (event.key === 'Enter' && entry && event.target === rowOf(event)) props.onOpen(entry);
    else if (event.key === ' ' && entry && event.target === rowOf(event)) props.onToggle(entry);
    else return;
    event.preventDefault();
  };
  if (total === 0) return <p class={styles.nothing}>{t.browse.noEntries}</p>;
  const focusable = active >= first && active <= last ? active : first;
  const tracks = columns()
    .map(({ width = 'minmax(0, 1fr)' }) => width)
    .join(' ');
  return (
    <div class={list.frame} style={{ '--tracks': `${tracks} 2.75rem` }}>
      <div
        class={list.table}
        role="grid"
        aria-label={label}
        aria-multiselectable="true"
        aria-rowcount={total + 1}
        tabIndex={-1}
        onKeyDown={onKey}
      >
        <Heads sorted={sorted} onSort={onSort} />
        <div role="rowgroup" ref={grid}>
          <Gap size={before} />
          {rows.map(({ index, key }) => {
            const entry = entryAt(index);
            return (
              <FileRow
                key={key}
                index={index}
                measure={measure}
                entry={entry}
                isFocusable={index === focusable}
                isSelected={entry !== undefined && selection.has(entry.path)}
                isCovered={entry !== undefined && isCovered(selection, entry.path)}
                withFolder={props.withFolder}
                largest={props.largest}
                onFocus={setActive}
                {...calls}
              />
            );
          })}
          <Gap size={after} />
        </div>
      </div>
    </div>
  );
}

/** The same functions at every drawing, so that a row is drawn again only when it changed. */
function useLastingCalls(props: GridProps) {
  const latest = useRef(props);
  latest.current = props;
  const [calls] = useState(() => ({
    onToggle: (entry: Entry) => latest.current.onToggle(entry),
    onOpen: (entry: Entry) => latest.current.onOpen(entry),
    onDownload: (entry: Entry) => latest.current.onDownload(entry),
  }));
  return calls;
}

const Heads = ({ sorted = '', onSort }: Pick<GridProps, 'sorted' | 'onSort'>) => (
  <div role="row" class={list.heads} aria-rowindex={1}>
    {columns().map(({ sort, ...head }) => (
      <Head
        key={head.key}
        column={onSort && sort ? { ...head, sort } : head}
        sorted={sorted}
        onSort={(next) => onSort?.(next)}
      />
    ))}
    <span role="columnheader" class="visually-hidden">
      {t.common.actions}
    </span>
  </div>
);

const rowOf = ({ target }: KeyboardEvent) => (target as Element).closest('[role=row]');

function indexOf(path: string, entryAt: (index: number) => Entry | undefined, total: number): number {
  const name = nameOf(path);
  for (let index = 0; index < total; index += 1) {
    const entry = entryAt(index);
    if (!entry) return 0;
    if (entry.name === name) return index;
  }
  return 0;
}
