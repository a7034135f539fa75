import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRead } from '../../api/api.js';
import { dayOf, ownZone, shortMonthOf, weekdayOf } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { type Cell, cellsOf } from '../../ui/days.rules.js';
import { QueryView } from '../../ui/query-view.js';
import { cellOf, stripInWords } from '../../ui/strip.js';
import { useWidth } from '../../ui/use-width.js';
import { Figure } from './plots/figure.js';
import styles from './repositories.module.css';

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

/** The outcome of each day of a year. */
export function Year({ id }: { id: number }) {
  const query = useRead('/api/history/days', { query: { days: 365, timezone: ownZone, repository_id: id } });
  const { title, day, outcome } = t.repository.days;
  return (
    <QueryView query={query} lines={5}>
      {({ last_day, repositories }) => {
        const days = repositories[0]?.days ?? '';
        const legend = [...'owfml-'].filter((letter) => days.includes(letter));
        return (
          <Figure
            title={title}
            heading="h2"
            finding={stripInWords(days, last_day)}
            legend={legend.map((letter) => [
              <svg key={letter} class={styles.year} width="14" height="14" aria-hidden="true">
                <Mark letter={letter} size={12} />
              </svg>,
              wordOf(letter),
            ])}
            heads={[day, outcome]}
            rows={cellsOf(days, last_day, 53)
              .map(({ date, letter }) => [dayOf(date), wordOf(letter)])
              .reverse()}
          >
            <Calendar days={days} lastDay={last_day} />
          </Figure>
        );
      }}
    </QueryView>
  );
}

const [left, top] = [40, 20];

/** Weeks side by side; where a year has no room, its newer half. Arrows and the pointer go from day to day. */
function Calendar({ days, lastDay }: { days: string; lastDay: string }) {
  const [place, width] = useWidth();
  const [chosen, choose] = useState(days.length);
  const weeks = width < 600 ? 26 : 53;
  const step = Math.min(20, (width - left) / weeks);
  const cells = cellsOf(days, lastDay, weeks);
  const last = cells.length - 1;
  const at = Math.min(chosen, last);
  const cell = cells[at];
  const words = cell && `${dayOf(cell.date)}: ${wordOf(cell.letter)}`;
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(at + by, last)));
  };
  const onPoint = ({ currentTarget, clientX, clientY }: JSX.TargetedPointerEvent<HTMLElement>) => {
    const { x, y } = currentTarget.getBoundingClientRect();
    const [column, row] = [clientX - x - left, clientY - y - top].map((away) => Math.floor(away / step));
    const found = cells.findIndex((each) => each.column === column && each.row === row);
    if (found >= 0) choose(found);
  };
  const placeOf = ({ column, row }: Cell): [number, number] => [left + column * step, top + row * step];
  const size = step - 4;
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
        {size > 0 && cell && (
          <svg width={width} height={top + 7 * step} aria-hidden="true">
            {cells.map((each, index) => {
              const [x, y] = placeOf(each);
              return (
                <>
                  {index < 7 && each.row % 2 === 0 && <text y={y + size - 2}>{weekdayOf(each.date)}</text>}
                  {each.date.getDate() === 1 && each.column < weeks - 1 && (
                    <text x={x} y="12">
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
              transform={`translate(${placeOf(cell)})`}
            />
          </svg>
        )}
      </div>
      <p class="small" aria-hidden="true">
        {words}
      </p>
    </>
  );
}
