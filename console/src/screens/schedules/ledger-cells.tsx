import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleEllipsis,
  CircleOff,
  CirclePause,
  CirclePlay,
  CircleMinus as CircleSkipped,
  CircleSlash,
  CircleX,
} from 'lucide-preact';
import { dayOf, moment, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { goByArrows } from '../../ui/arrows.js';
import { dayKey, hourKey, type Outcome, outcomeOf, type Run, worstOf } from './ledger.rules.js';
import { dayNames } from './plan-words.js';
import styles from './schedules.module.css';

const icons = {
  completed: CircleCheck,
  completed_with_warnings: CircleAlert,
  waiting: CircleEllipsis,
  running: CirclePlay,
  failed: CircleX,
  cancelled: CircleSlash,
  missed: CircleDashed,
  skipped: CircleSkipped,
  refused: CircleOff,
  disabled: CirclePause,
} satisfies Record<Outcome, unknown>;
const looks: Partial<Record<Outcome, string | undefined>> = {
  completed: styles.made,
  running: styles.made,
  waiting: styles.other,
  cancelled: styles.other,
  disabled: styles.other,
};

export function Mark({ outcome }: { outcome: Outcome }) {
  const Icon = icons[outcome];
  return <Icon aria-hidden="true" size={18} class={looks[outcome] ?? styles.bad} />;
}

export const hoursOf = (day: Date) =>
  Array.from({ length: 24 }, (_, hour) => new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour));

interface CellsProps {
  unit: 'day' | 'hour';
  lines: readonly (readonly Date[])[];
  cells: ReadonlyMap<string, Run[]>;
  chosen: string | null;
  onChoose: (key: string) => void;
}

/** One stop of the Tab key; arrows go from cell to cell. */
export function Cells({ unit, lines, cells, chosen, onChoose }: CellsProps) {
  const keyOf = unit === 'day' ? dayKey : hourKey;
  const keys = lines.flat().map((at) => (cells.has(keyOf(at)) ? keyOf(at) : undefined));
  const stop = chosen !== null && cells.has(chosen) ? chosen : keys.findLast((key) => key !== undefined);
  return (
    <table
      class={`${styles.ledger} ${unit === 'hour' ? styles.hours : ''}`}
      aria-label={t.schedules.ledger}
      onKeyDown={(event) => goByArrows(event, keys, stop, lines[0]?.length)}
    >
      <thead>
        <tr>
          <th>
            <span class="visually-hidden">{unit === 'day' ? t.schedules.week : t.archives.day}</span>
          </th>
          {unit === 'day'
            ? dayNames().map(([day, name]) => (
                <th key={day} scope="col">
                  {name}
                </th>
              ))
            : hoursOf(new Date()).map((_, hour) => (
                <th key={hour} scope="col">
                  {hour % 6 === 0 ? hour : <span class="visually-hidden">{hour}</span>}
                </th>
              ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={keyOf(line[0] ?? new Date(0))}>
            <th scope="row">{dayOf(line[0] ?? 0)}</th>
            {line.map((at) => {
              const key = keyOf(at);
              const runs = cells.get(key);
              return (
                <td key={key}>
                  {runs && (
                    <button
                      type="button"
                      class={styles.cell}
                      data-key={key}
                      tabIndex={key === stop ? 0 : -1}
                      aria-pressed={key === chosen}
                      aria-label={runs.map(runInWords).join('; ')}
                      onClick={() => onChoose(key)}
                      onFocus={() => onChoose(key)}
                    >
                      <Mark outcome={worstOf(runs)} />
                    </button>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export const runInWords = (run: Run): string =>
  `${moment(run.planned_at)}: ${t.schedules.outcomes[outcomeOf(run)]}${run.count > 1 ? ` (${t.schedules.times(number(run.count))})` : ''}`;
