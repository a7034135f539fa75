// biome-ignore-all lint/a11y/useFocusableInteractive: the rows of a table take no focus; those of a grid would.
import { ArrowDown, ArrowUp } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { t } from '../i18n/messages.js';
import styles from './data-list.module.css';
import { type Sorting, sortBy, turned } from './data-list.rules.js';
import list from './list.module.css';
import { Gap, useVirtualRows } from './virtual-rows.js';

export interface Column<T> {
  key: string;
  head: string;
  cell: (row: T) => ComponentChildren;
  /** What the column sorts by; null comes last. Only for lists that are loaded completely. */
  sort?: (row: T) => string | number | null;
  /** Track of a CSS grid that doesn't depend on the content; default: a share of the width. */
  width?: string;
  /** A figure, at the end of its column. The first direction of sorting is descending. */
  figure?: boolean;
  /** In the two lines of a phone: with its head in front of it, or not at all. */
  narrow?: 'named' | 'hidden';
}

interface DataListProps<T> {
  label: string;
  rows: readonly T[];
  /** The first one names the row. */
  columns: readonly Column<T>[];
  keyOf: (row: T) => string | number;
  /** The page of a row: its address, and the name of the link if the first cell is not enough. */
  linkOf?: (row: T) => readonly [href: string, label?: string];
  /** The order, kept where the caller keeps its filter. */
  sorted?: Sorting;
  onSort?: (sorted: Sorting) => void;
  actions?: (row: T) => ComponentChildren;
  /** Track of the actions: they don't move the columns. */
  actionsWidth?: string;
}

const rowHeight = 40;

/** A table of rows that lead to pages. */
export function DataList<T>(props: DataListProps<T>) {
  const { label, columns, actions, actionsWidth = '2.75rem', sorted = '' } = props;
  const rows = sortBy(props.rows, columns, sorted);
  const tracks = columns.map(({ width = 'minmax(0, 1fr)' }) => width);
  if (actions) tracks.push(actionsWidth);
  return (
    <div class={styles.frame} style={{ '--tracks': tracks.join(' ') }}>
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} class={styles.table}>
        <div role="row" class={styles.heads} aria-rowindex={1}>
          {columns.map((column) => (
            <Head key={column.key} column={column} sorted={sorted} onSort={(next) => props.onSort?.(next)} />
          ))}
          {actions && (
            <span role="columnheader">
              <span class="visually-hidden">{t.common.actions}</span>
            </span>
          )}
        </div>
        <Rows {...props} rows={rows} />
      </div>
    </div>
  );
}

interface HeadProps<T> {
  column: Column<T>;
  sorted: Sorting;
  onSort: (sorted: Sorting) => void;
}

function Head<T>({ column, sorted, onSort }: HeadProps<T>) {
  const { key, head, sort, figure, narrow } = column;
  const isUp = sorted === key;
  const isDown = sorted === `-${key}`;
  const Arrow = isDown ? ArrowDown : ArrowUp;
  return (
    <span
      role="columnheader"
      class={`${figure ? styles.figure : ''} ${narrow === 'hidden' ? styles.hidden : ''}`}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      {sort ? (
        <button type="button" onClick={() => onSort(turned(sorted, column))}>
          {head}
          {(isUp || isDown) && <Arrow aria-hidden="true" size={14} />}
        </button>
      ) : (
        head
      )}
    </span>
  );
}

/** Those near what is seen. */
function Rows<T>(props: DataListProps<T>) {
  const { rows, keyOf } = props;
  const body = useRef<HTMLDivElement>(null);
  const { rows: drawn, before, after, measure } = useVirtualRows(body, rows.length, rowHeight);
  return (
    <div role="rowgroup" ref={body}>
      <Gap size={before} />
      {drawn.map(({ index }) => {
        const row = rows[index] as T;
        return (
          <div key={keyOf(row)} role="presentation" data-index={index} ref={measure} class={styles.item}>
            <Cells {...props} row={row} index={index} />
          </div>
        );
      })}
      <Gap size={after} />
    </div>
  );
}

function Cells<T>(props: DataListProps<T> & { row: T; index: number }) {
  const { row, index, columns, linkOf, actions } = props;
  const [href, label] = linkOf?.(row) ?? [];
  return (
    <div role="row" aria-rowindex={index + 2} class={styles.row}>
      {columns.map(({ key, head, cell, figure, narrow = '' }, column) => (
        <div
          key={key}
          role={column === 0 ? 'rowheader' : 'cell'}
          class={[figure && styles.figure, styles[narrow], column === 0 && styles.first]
            .filter(Boolean)
            .join(' ')}
        >
          {narrow === 'named' && (
            <span class={styles.name} aria-hidden="true">
              {head}{' '}
            </span>
          )}
          {column === 0 && href ? (
            <Link href={href} aria-label={label} className={list.link}>
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </div>
      ))}
      {actions && (
        <div role="cell" class={styles.actions}>
          {actions(row)}
        </div>
      )}
    </div>
  );
}
