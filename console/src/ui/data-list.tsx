// biome-ignore-all lint/a11y/useFocusableInteractive: the rows of a table take no focus; those of a grid would.
import { ArrowDown, ArrowUp } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { number } from '../i18n/format.js';
import { t } from '../i18n/messages.js';
import { type Columns, makers } from './columns.js';
import styles from './data-list.module.css';
import { type Column, findIn, type Sorting, sortBy, turned } from './data-list.rules.js';
import { TextField } from './field.js';
import list from './list.module.css';
import { NextPage, type Paged } from './next-page.js';
import { useFilter } from './use-filter.js';
import { Gap, useVirtualRows } from './virtual-rows.js';

export interface ListProps<T> {
  label: string;
  rows: readonly T[];
  /** The first one names the row. */
  columns: (of: Columns<T>) => readonly Column<T>[];
  /** Default: its `id`. */
  keyOf?: (row: T) => string | number;
  /** The page of a row: its address, and the name of the link if the first cell is not enough. */
  linkOf?: (row: T) => readonly [href: string, label?: string] | undefined;
  actions?: (row: T) => ComponentChildren;
  /** Track of the actions: they don't move the columns. */
  actionsWidth?: string;
  /** A line below the cells. */
  below?: (row: T) => ComponentChildren;
  /** A title above the rows that have it in common, while they have their own order. */
  groupOf?: (row: T) => readonly [key: string, title: ComponentChildren];
  /** Instead of a list without rows. */
  empty?: ComponentChildren;
  /** Loads more rows. Rows are sorted and searched only when all are loaded. */
  query?: Paged;
  /** Others are not loaded: the same. */
  isPart?: boolean;
  /** Begins the names in the address, on a page with more than one such list. */
  name?: string;
}

const searchFrom = 10;
const rowHeight = 40;

/** A table of rows that lead to pages. Order and search are in the address. */
export function DataList<T>(props: ListProps<T>) {
  const { label, query, actions, actionsWidth = '2.75rem', groupOf, isPart = false, name = '' } = props;
  const filter = useFilter();
  const isAll = !isPart && !query?.hasNextPage;
  const all = props.columns(makers<T>());
  const columns = isAll ? all : all.map(({ sort: _, ...column }) => column);
  const sorted = filter.value(`${name}sort`);
  const typed = filter.value(`${name}find`);
  const isSearched = isAll && props.rows.length > searchFrom && columns.some(({ text }) => text);
  const found = isSearched ? findIn(props.rows, columns, typed) : props.rows;
  const rows = sortBy(found, columns, sorted);
  const tracks = columns.map(({ width = 'minmax(0, 1fr)' }) => width);
  if (actions) tracks.push(actionsWidth);
  if (props.rows.length === 0 && props.empty) return <>{props.empty}</>;
  return (
    <div class={styles.frame} style={{ '--tracks': tracks.join(' ') }}>
      {isSearched && (
        <search class={styles.search}>
          <TextField
            type="search"
            label={t.common.search}
            value={typed}
            onValue={(text) => filter.set(`${name}find`, text)}
          />
          <p role="status" class="muted small">
            {typed && t.common.foundOf(number(found.length), number(props.rows.length))}
          </p>
        </search>
      )}
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} class={styles.table}>
        <div role="row" class={styles.heads} aria-rowindex={1}>
          {columns.map((column) => (
            <Head
              key={column.key}
              column={column}
              sorted={sorted}
              onSort={(next) => filter.set(`${name}sort`, next)}
            />
          ))}
          {actions && (
            <span role="columnheader">
              <span class="visually-hidden">{t.common.actions}</span>
            </span>
          )}
        </div>
        <Rows {...props} columns={columns} rows={rows} groupOf={sorted ? undefined : groupOf} />
      </div>
      {query && <NextPage query={query} />}
    </div>
  );
}

interface HeadProps<T> {
  column: Omit<Column<T>, 'cell'>;
  sorted: Sorting;
  onSort: (sorted: Sorting) => void;
}

export function Head<T>({ column, sorted, onSort }: HeadProps<T>) {
  const { key, head, sort, figure } = column;
  const isUp = sorted === key;
  const isDown = sorted === `-${key}`;
  const Arrow = isDown ? ArrowDown : ArrowUp;
  return (
    <span
      role="columnheader"
      class={figure ? styles.figure : undefined}
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

interface RowsProps<T> extends Omit<ListProps<T>, 'columns'> {
  columns: readonly Column<T>[];
}

/** Those near what is seen. */
function Rows<T>(props: RowsProps<T>) {
  const { rows, columns, keyOf = (row: T) => (row as { id: number }).id, groupOf } = props;
  const body = useRef<HTMLDivElement>(null);
  const { rows: drawn, before, after, measure } = useVirtualRows(body, rows.length, rowHeight);
  return (
    <div role="rowgroup" ref={body}>
      <Gap size={before} />
      {drawn.map(({ index }) => {
        const row = rows[index] as T;
        const above = rows[index - 1];
        const [group, title] = groupOf?.(row) ?? [];
        return (
          <div key={keyOf(row)} role="presentation" data-index={index} ref={measure} class={styles.item}>
            {title && (above === undefined || groupOf?.(above)[0] !== group) && (
              <div role="row" class={styles.group}>
                <span role="rowheader" aria-colspan={columns.length + (props.actions ? 1 : 0)}>
                  {title}
                </span>
              </div>
            )}
            <Cells {...props} row={row} index={index} />
          </div>
        );
      })}
      <Gap size={after} />
    </div>
  );
}

function Cells<T>(props: RowsProps<T> & { row: T; index: number }) {
  const { row, index, columns, linkOf, actions, below } = props;
  const [href, label] = linkOf?.(row) ?? [];
  const more = below?.(row);
  return (
    <div role="row" aria-rowindex={index + 2} class={styles.row}>
      {columns.map(({ key, head, cell, figure = false, named = figure }, column) => (
        <div
          key={key}
          role={column === 0 ? 'rowheader' : 'cell'}
          class={figure ? styles.figure : undefined}
          data-head={named ? head : undefined}
        >
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
      {more && (
        <div role="cell" class={styles.below}>
          {more}
        </div>
      )}
    </div>
  );
}
