import { useEffect, useState } from 'preact/hooks';
import { ago, exactly } from '../i18n/format.js';

/** Relative first; the exact time as a tooltip and for programs. Keeps up with the clock. */
export function Time({ at, capital = false }: { at: string; capital?: boolean }) {
  useMinute();
  const text = ago(at);
  return (
    <time dateTime={at} title={exactly(at)}>
      {capital ? text.charAt(0).toLocaleUpperCase() + text.slice(1) : text}
    </time>
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
