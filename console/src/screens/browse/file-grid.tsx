import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/messages.js';
import { Gap, useVirtualRows } from '../../ui/virtual-rows.js';
import styles from './browse.module.css';
import { FileRow } from './file-row.js';
import type { Entry } from './folder.js';
import { nameOf } from './paths.rules.js';
import { isCovered, type Selection } from './selection.rules.js';

interface GridProps {
  label: string;
  total: number;
  /** Undefined while its page is being read. */
  entryAt: (index: number) => Entry | undefined;
  onRange?: (from: number, to: number) => void;
  selection: Selection;
  onToggle: (entry: Entry) => void;
  onOpen: (entry: Entry) => void;
  onDownload: (entry: Entry) => void;
  onUp: () => void;
  /** Shows the folder of each search result. */
  withFolders?: boolean;
  /** The folder one came up from: it gets the focus. */
  from?: string;
  /** The user came from another folder: moves the focus here. */
  takesFocus: boolean;
}

/** Entries as an ARIA grid whose rows take the focus. Only what is near the visible part is drawn. */
export function FileGrid(props: GridProps) {
  const { label, total, entryAt, onRange, selection, withFolders = false, from, takesFocus } = props;
  const grid = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(() => (from ? indexOf(from, entryAt, total) : 0));
  /** The row that takes the focus as soon as it is drawn. */
  const wanted = useRef<number | null>(takesFocus ? active : null);
  const latest = useRef(props);
  latest.current = props;
  const [calls] = useState(() => ({
    onFocus: setActive,
    onToggle: (entry: Entry) => latest.current.onToggle(entry),
    onOpen: (entry: Entry) => latest.current.onOpen(entry),
    onDownload: (entry: Entry) => latest.current.onDownload(entry),
  }));
  const { rows, before, after, measure, show } = useVirtualRows(grid, total, 62);
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  useEffect(() => onRange?.(first, last), [first, last]);
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
  if (total === 0) return <p class={styles.nothing}>{t.browse.emptyFolder}</p>;
  const focusable = active >= first && active <= last ? active : first;
  return (
    <div
      ref={grid}
      class={styles.grid}
      role="grid"
      aria-label={label}
      aria-multiselectable="true"
      aria-rowcount={total}
      aria-colcount={3}
      tabIndex={-1}
      onKeyDown={onKey}
    >
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
            withFolder={withFolders}
            {...calls}
          />
        );
      })}
      <Gap size={after} />
    </div>
  );
}

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
