import { ChevronLeft, ChevronRight } from 'lucide-preact';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Schemas, useRead } from '../../api/api.js';
import { dayOf, list, number, ownZone, shortMonthOf, weekdayOf } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button, IconButton } from '../../ui/button.js';
import { type Cell, cellsOf, worstOfDays } from '../../ui/days.rules.js';
import { QueryView } from '../../ui/query-view.js';
import { cellOf, lastProblems, stripInWords } from '../../ui/strip.js';
import { useWidth } from '../../ui/use-width.js';
import { Figure } from './plots/figure.js';
import styles from './repositories.module.css';
import { RunsOfDay } from './runs-of-day.js';

/** Each outcome has its own shape, so the picture doesn't rely on colour. */
const shapes: Record<string, (size: number) => string> = {
  o: (s) => `h${s}v${s}h-${s}z`,
  w: (s) => `h${s}L0 ${s}z`,
  f: (s) => `l${s} ${s}M0 ${s}L${s} 0`,
  m: (s) => `M1 1H${s - 1}M1 ${s - 1}H${s - 1}M1 1V${s - 1}M${s - 1} 1V${s - 1}`,
  l: (s) => `m0 ${s / 2}h${s}`,
  '-': (s) => `m${s / 2 - 1} ${s / 2}h3`,
};

const Mark = ({ letter, size, at = [1, 1] }: { letter: string; size: number; at?: [number, number] }) => (
  <path
    class={cellOf(letter).class}
    d={`M0 0${(shapes[letter] ?? shapes['-'])?.(size)}`}
    transform={`translate(${at})`}
  />
);

const wordOf = (letter: string): string => {
  const words = t.repository.days.outcomes;
  return words[letter as keyof typeof words] ?? words['-'];
};

type Strips = Schemas['HistoryDays']['repositories'];
const fewNames = 3;

/** The outcome of a day; of one with a problem also the repositories that had it. */
function dayInWords(letter: string, at: number, strips: Strips): string {
  const names = strips.filter(({ days }) => days[at] === letter).map(({ name }) => name);
  if (strips.length < 2 || !'fmlw'.includes(letter) || names.length === 0) return wordOf(letter);
  const more = names.length - fewNames;
  const shown = more > 1 ? [...names.slice(0, fewNames), t.repository.days.others(number(more))] : names;
  return `${wordOf(letter)} (${list(shown)})`;
}

function yearInWords(days: string, lastDay: string): string {
  const good = [...days].filter((letter) => !'fml'.includes(letter)).length;
  const words = t.repository.days.withoutProblem(number(good), number(days.length));
  return [words, ...lastProblems(days, lastDay)].join('; ');
}

/** The outcome of each day of a year: of a repository, or the worst one of all. */
export default function Year({ id }: { id: number | undefined }) {
  const query = useRead('/api/history/days', {
    query: { days: 365, timezone: ownZone, ...(id !== undefined && { repository_id: id }) },
  });
  const { title, day, outcome } = t.repository.days;
  return (
    <QueryView query={query} lines={5}>
      {({ last_day, repositories }) => {
        const days = worstOfDays(repositories.map((each) => each.days));
        const legend = [...'owfml-'].filter((letter) => days.includes(letter));
        return (
          <Figure
            title={title}
            heading="h2"
            finding={id === undefined ? yearInWords(days, last_day) : stripInWords(days, last_day)}
            legend={legend.map((letter) => [
              <svg key={letter} class={styles.year} width="14" height="14" aria-hidden="true">
                <Mark letter={letter} size={12} />
              </svg>,
              wordOf(letter),
            ])}
            heads={[day, outcome]}
            rows={cellsOf(days, last_day, weeks)
              .map(({ date, letter, at }) => [dayOf(date), dayInWords(letter, at, repositories)])
              .reverse()}
          >
            <Calendar id={id} days={days} lastDay={last_day} strips={repositories} />
          </Figure>
        );
      }}
    </QueryView>
  );
}

const [left, top, weeks] = [40, 20, 53];

type CalendarProps = { id: number | undefined; days: string; lastDay: string; strips: Strips };

/**
 * Weeks side by side, in two rows where a year has no room. Arrows and the pointer go from day to day; a press shows
 * what ran on a day, then only presses and keys choose another one.
 */
function Calendar({ id, days, lastDay, strips }: CalendarProps) {
  const [place, width] = useWidth();
  const [chosen, choose] = useState(days.length);
  const [isOpen, setOpen] = useState(false);
  const weeksInRow = width < 600 ? Math.ceil(weeks / 2) : weeks;
  const step = Math.min(20, (width - left) / weeksInRow);
  const cells = cellsOf(days, lastDay, weeks);
  const last = cells.length - 1;
  const at = Math.min(chosen, last);
  const cell = cells[at];
  const words = cell && `${dayOf(cell.date)}: ${dayInWords(cell.letter, cell.at, strips)}`;
  const go = (by: number) => choose(Math.max(0, Math.min(at + by, last)));
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (by === undefined) setOpen(true);
    else go(by);
  };
  const onPoint = ({ type, currentTarget, clientX, clientY }: JSX.TargetedPointerEvent<HTMLElement>) => {
    if (isOpen && type === 'pointermove') return;
    const { x, y } = currentTarget.getBoundingClientRect();
    const isAt = (pointed: number, from: number) => pointed >= from && pointed < from + step;
    const found = cells.findIndex((each) => {
      const [across, down] = positionOf(each, { weeksInRow, step });
      return isAt(clientX - x, across) && isAt(clientY - y, down);
    });
    if (found < 0) return;
    choose(found);
    if (type === 'pointerdown') setOpen(true);
  };
  return (
    <>
      <div ref={place} class={styles.year} onPointerMove={onPoint} onPointerDown={onPoint}>
        <input
          type="range"
          aria-label={t.repository.days.title}
          aria-valuetext={words}
          max={last}
          value={at}
          onInput={({ currentTarget }) => choose(currentTarget.valueAsNumber)}
          onKeyDown={onKey}
        />
        {step > 4 && cell && <Picture cells={cells} cell={cell} width={width} grid={{ weeksInRow, step }} />}
      </div>
      {cell && (
        <div class={styles.day}>
          <IconButton label={t.repository.days.before} disabled={at === 0} onClick={() => go(-1)}>
            <ChevronLeft aria-hidden="true" size={18} />
          </IconButton>
          <span role="status">{words}</span>
          <IconButton label={t.repository.days.after} disabled={at === last} onClick={() => go(1)}>
            <ChevronRight aria-hidden="true" size={18} />
          </IconButton>
          <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t.repository.days.runs}
          </Button>
        </div>
      )}
      {isOpen && cell && <RunsOfDay id={id} date={cell.date} />}
    </>
  );
}

interface Grid {
  weeksInRow: number;
  step: number;
}

const positionOf = ({ column, row }: Cell, { weeksInRow, step }: Grid): [number, number] => [
  left + (column % weeksInRow) * step,
  top + row * step + Math.floor(column / weeksInRow) * (top + 7 * step),
];

type PictureProps = { cells: readonly Cell[]; cell: Cell; width: number; grid: Grid };

function Picture({ cells, cell, width, grid }: PictureProps) {
  const { weeksInRow, step } = grid;
  const size = step - 4;
  return (
    <svg width={width} height={Math.ceil(weeks / weeksInRow) * (top + 7 * step)} aria-hidden="true">
      {cells.map((each, index) => {
        const [x, y] = positionOf(each, grid);
        const isFirst = index < 7 || each.column === weeksInRow;
        return (
          <>
            {isFirst && each.row % 2 === 0 && <text y={y + size - 2}>{weekdayOf(each.date)}</text>}
            {each.date.getDate() === 1 && each.column % weeksInRow < weeksInRow - 1 && (
              <text x={x} y={y - each.row * step - 8}>
                {shortMonthOf(each.date)}
              </text>
            )}
            <Mark letter={each.letter} size={size} at={[x, y]} />
          </>
        );
      })}
      <rect
        x="-3"
        y="-3"
        width={size + 6}
        height={size + 6}
        rx="3"
        transform={`translate(${positionOf(cell, grid)})`}
      />
    </svg>
  );
}
