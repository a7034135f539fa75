import { dayOf, number } from '../i18n/format.js';
import { t } from '../i18n/messages.js';
import { dayBefore } from './days.rules.js';
import styles from './strip.module.css';

type Letter = 'o' | 'w' | 'f' | 'm' | 'l' | '-';

/** Each outcome has its own height, so the chart doesn't rely on colour. */
const cells: Record<Letter, { height: number; class: string | undefined }> = {
  o: { height: 16, class: styles.made },
  w: { height: 12, class: styles.warned },
  f: { height: 8, class: styles.failed },
  m: { height: 5, class: styles.missed },
  l: { height: 5, class: styles.missed },
  '-': { height: 2, class: styles.nothing },
};

/** The look of an outcome; of a later release, that of nothing. */
export const cellOf = (letter: string) => cells[letter as Letter] ?? cells['-'];

/** @param lastDay - `YYYY-MM-DD`, the day of the last letter. */
export function Strip({ days, lastDay }: { days: string; lastDay: string }) {
  const letters = [...days];
  return (
    <svg
      class={styles.strip}
      viewBox={`0 0 ${letters.length * 6} 16`}
      role="img"
      aria-label={stripInWords(days, lastDay)}
      preserveAspectRatio="none"
    >
      {letters.map((letter, index) => {
        const { height, class: name } = cellOf(letter);
        return (
          <rect key={index} class={name} x={index * 6} y={16 - height} width="4.5" height={height} rx="1" />
        );
      })}
    </svg>
  );
}

/** `29 of 30 days with a backup; 12 Nov: failed.` */
export function stripInWords(days: string, lastDay: string): string {
  const made = [...days].filter((letter) => letter === 'o' || letter === 'w').length;
  return [t.common.daysWithBackup(number(made), number(days.length)), ...lastProblems(days, lastDay)].join(
    '; ',
  );
}

/** `12 Nov: failed`. */
export function lastProblems(days: string, lastDay: string): string[] {
  return [...days]
    .map((letter, index) => ({ letter, index }))
    .filter(({ letter }) => 'fml'.includes(letter))
    .slice(-3)
    .map(({ letter, index }) => {
      return t.common.dayWas(dayOf(dayBefore(lastDay, days.length - 1 - index)), letter as 'f' | 'm' | 'l');
    });
}

/** Amounts of days in a row, from zero, as a small picture. */
export function Bars({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values);
  return (
    <svg class={styles.bars} viewBox={`0 0 ${values.length * 4} 16`} role="img" aria-label={label}>
      <title>{label}</title>
      {values.map((value, n) => {
        const height = Math.max(1, (16 * value) / most);
        return <rect key={n} x={n * 4} y={16 - height} width="3" height={height} />;
      })}
    </svg>
  );
}
