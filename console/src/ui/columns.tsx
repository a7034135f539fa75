import type { ComponentChildren } from 'preact';
import { t } from '../i18n/messages.js';
import styles from './data-list.module.css';
import type { Column } from './data-list.rules.js';
import { State, type StateName, states } from './state.js';
import { Time } from './time.js';

type Maybe<V> = V | null | undefined;

/** A text that is cut where its column ends. */
export const Cut = ({ text }: { text: Maybe<string> }) => (
  <bdi class={styles.cut} title={text ?? ''}>
    {text}
  </bdi>
);

function textColumn<T>(
  key: string,
  head: string,
  text: (row: T) => Maybe<string>,
  more: Partial<Column<T>> = {},
): Column<T> {
  const cell = (row: T) => <Cut text={text(row)} />;
  return { key, head, cell, sort: (row) => text(row) || null, text: (row) => text(row) ?? '', ...more };
}

const nameColumn = <T,>(
  name: (row: T) => string,
  head = t.common.name,
  more: Partial<Column<T>> = {},
): Column<T> => textColumn('name', head, name, { width: 'minmax(0, 2fr)', ...more });

const stateColumn = <T,>(
  stateOf: (row: T) => { state: StateName; word?: string },
  width = '9.5rem',
): Column<T> => ({
  key: 'state',
  head: t.common.state,
  width,
  sort: (row) => states.indexOf(stateOf(row).state),
  cell: (row) => <State {...stateOf(row)} />,
});

/** In the row of a page: the exact time is a tooltip. */
const timeColumn = <T,>(
  key: string,
  head: string,
  at: (row: T) => Maybe<string>,
  none: ComponentChildren = '–',
  width = '9rem',
): Column<T> => ({
  key,
  head,
  width,
  named: true,
  sort: (row) => at(row) ?? null,
  cell: (row) => {
    const time = at(row);
    return time ? <Time plain at={time} /> : none;
  },
});

const figureColumn = <T,>(
  key: string,
  head: string,
  value: (row: T) => Maybe<number>,
  inWords: (value: number) => string,
  width = '4.5rem',
): Column<T> => ({
  key,
  head,
  width,
  figure: true,
  sort: (row) => value(row) ?? null,
  cell: (row) => {
    const figure = value(row) ?? null;
    return figure === null ? '–' : inWords(figure);
  },
});

/** Finds a row by its name or a tag. */
export const withTags = {
  text: (row: { name: string | null; tags: readonly string[] }) => [row.name, ...row.tags].join(' '),
};

/** The kinds of columns, for rows of one type. */
export const makers = <T,>() => ({
  name: nameColumn<T>,
  text: textColumn<T>,
  state: stateColumn<T>,
  time: timeColumn<T>,
  figure: figureColumn<T>,
});

export type Columns<T> = ReturnType<typeof makers<T>>;
