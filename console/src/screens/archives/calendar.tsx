import { ChevronLeft, ChevronRight } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { dayOf, monthOf, number, weekdayOf } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { goByArrows } from '../../ui/arrows.js';
import { IconButton } from '../../ui/button.js';
import styles from './archives.module.css';
import { localDay, monthAway, weeksOf } from './archives.rules.js';
import type { Archive } from './archives-query.js';

interface CalendarProps {
  archives: readonly Archive[];
  /** '': none is chosen. */
  day: string;
  onDay: (day: string) => void;
  /** A month is shown that may be before the oldest of `archives`. */
  onEarlier: () => void;
}

const noon = (day: string) => `${day}T12:00:00`;

function daysOf(archives: readonly Archive[]) {
  const counts = new Map<string, number>();
  const damaged = new Set<string>();
  for (const archive of archives) {
    const day = localDay(archive.start);
    counts.set(day, (counts.get(day) ?? 0) + 1);
    if (archive.damaged) damaged.add(day);
  }
  return { counts, damaged };
}

/** How many archives each day of a month has; a day is chosen by pressing it, and again to show all. */
export function Calendar({ archives, day, onDay, onEarlier }: CalendarProps) {
  const newest = archives[0] ? localDay(archives[0].start) : localDay(Date.now());
  const [shown, setShown] = useState(day || newest);
  /** Where the focus was last. */
  const [at, setAt] = useState('');
  useEffect(() => {
    if (day) setShown(day);
  }, [day]);
  const { counts, damaged } = daysOf(archives);
  const go = (months: number) => {
    const next = monthAway(shown, months);
    setShown(next);
    const oldest = archives.at(-1);
    if (months < 0 && oldest && next <= localDay(oldest.start)) onEarlier();
  };
  const weeks = weeksOf(shown);
  const keys = weeks.flat().map((date) => (date && counts.has(date) ? date : undefined));
  const stop = [at, day].find((one) => keys.includes(one)) ?? keys.findLast((key) => key !== undefined);
  return (
    <section class={styles.calendar} aria-label={t.archives.calendar}>
      <div class={styles.month}>
        <IconButton label={t.archives.earlier} onClick={() => go(-1)}>
          <ChevronLeft aria-hidden="true" size={18} />
        </IconButton>
        <span role="status">{monthOf(noon(shown))}</span>
        <IconButton label={t.archives.later} onClick={() => go(1)}>
          <ChevronRight aria-hidden="true" size={18} />
        </IconButton>
      </div>
      <table onKeyDown={(event) => goByArrows(event, keys, stop)}>
        <thead>
          <tr>
            {[1, 2, 3, 4, 5, 6, 7].map((weekday) => (
              <th key={weekday} scope="col">
                {weekdayOf(new Date(2024, 0, weekday))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, row) => (
            <tr key={row}>
              {week.map((date, column) => {
                const count = counts.get(date ?? '') ?? 0;
                const text = date && Number(date.slice(-2));
                return (
                  <td key={column}>
                    {date && count > 0 ? (
                      <button
                        type="button"
                        class={damaged.has(date) ? styles.damaged : undefined}
                        data-key={date}
                        tabIndex={date === stop ? 0 : -1}
                        aria-pressed={date === day}
                        aria-label={t.archives.dayHas(
                          dayOf(noon(date)),
                          t.common.archives(count, number(count)) +
                            (damaged.has(date) ? `, ${t.common.states.damaged}` : ''),
                        )}
                        onFocus={() => setAt(date)}
                        onClick={() => onDay(date === day ? '' : date)}
                      >
                        {text}
                      </button>
                    ) : (
                      <span>{text}</span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
