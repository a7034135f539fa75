import { useEffect, useState } from 'preact/hooks';
import { ago, exactly } from '../i18n/format.js';
import { announce } from './announce.js';
import styles from './time.module.css';

interface TimeProps {
  at: string;
  capital?: boolean;
  /** In a row that leads to a page where the time can be tapped: it would be one more stop for each row. */
  plain?: boolean;
}

/** Relative first; the exact time on tap, by keys, as a tooltip and for programs. Keeps up with the clock. */
export function Time({ at, capital = false, plain = false }: TimeProps) {
  useMinute();
  const [isExact, setExact] = useState(false);
  const exact = exactly(at);
  const text = isExact ? exact : ago(at);
  const time = (
    <time dateTime={at} title={exact}>
      {capital ? text.charAt(0).toLocaleUpperCase() + text.slice(1) : text}
    </time>
  );
  if (plain) return time;
  const turn = () => {
    setExact(!isExact);
    announce(isExact ? ago(at) : exact);
  };
  return (
    <button type="button" class={styles.time} onClick={turn}>
      {time}
    </button>
  );
}

/** Draws the component again each half minute: for words like `9 hours ago`. */
export function useMinute(): void {
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((count) => count + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
}
