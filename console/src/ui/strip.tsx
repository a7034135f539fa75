import { dayOf, number } from '../i18n/format.js';
import { t } from '../i18n/messages.js';
import styles from './strip.module.css';

type Letter = 'o' | 'w' | 'f' | 'm' | 'l' | '-';

/** Each outcome has its own height, so the chart doesn't rely on colour. */
const cells: Record<Letter, { height: number; class: string }> = {
  o: { height: 16, class: 'made' },
  w: { height: 12, class: 'warned' },
  f: { height: 8, class: 'failed' },
  m: { height: 5, class: 'missed' },
  l: { height: 5, class: 'late' },
  '-': { height: 2, class: 'nothing' },
};

const cellOf = (letter: string) => cells[letter as Letter] ?? cells['-'];

/** @param lastDay - `YYYY-MM-DD`, the day of the last letter. */
export function Strip({ days, lastDay, wide = false }: { days: string; lastDay: string; wide?: boolean }) {
  const letters = [...days];
  return (
    <svg
      class={`${styles.strip} ${wide ? styles.wide : ''}`}
      viewBox={`0 0 ${letters.length * 6} 16`}
      role="img"
      aria-label={stripInWords(days, lastDay)}
      preserveAspectRatio="none"
    >
      {letters.map((letter, index) => {
        const { height, class: name } = cellOf(letter);
        return (
          <rect
            key={index}
            class={styles[name]}
            x={index * 6}
            y={16 - height}
            width="4.5"
            height={height}
            rx="1"
          />
        );
      })}
    </svg>
  );
}

/** `29 of 30 days with a backup; 12 Nov: failed.` */
export function stripInWords(days: string, lastDay: string): string {
  const made = [...days].filter((letter) => letter === 'o' || letter === 'w').length;
  const others = [...days]
    .map((letter, index) => ({ letter, index }))
    .filter(({ letter }) => 'fml'.includes(letter))
    .slice(-3)
    .map(({ letter, index }) => {
      const day = new Date(`${lastDay}T12:00:00`);
      day.setDate(day.getDate() - (days.length - 1 - index));
      return t.common.dayWas(dayOf(day), letter as 'f' | 'm' | 'l');
    });
  return [t.common.daysWithBackup(number(made), number(days.length)), ...others].join('; ');
}
