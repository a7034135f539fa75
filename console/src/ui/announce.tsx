import { useEffect, useRef } from 'preact/hooks';
import { makeStore, useStore } from '../store.js';

const polite = makeStore('');

let waiting: string[] = [];

/** Announces it to a screen reader once, without moving the focus. Combines simultaneous texts. */
export function announce(text: string): void {
  if (waiting.length === 0) {
    // The same text again is only read if it changes in between.
    polite.set('');
    setTimeout(() => {
      polite.set(waiting.join(' '));
      waiting = [];
    }, 50);
  }
  if (!waiting.includes(text)) waiting.push(text);
}

/** Says at each quarter how far something is. */
export function useSaidProgress(percent: number, sentence: (percent: number) => string): void {
  const said = useRef(0);
  const quarter = Math.floor(percent / 25) * 25;
  useEffect(() => {
    if (quarter > said.current) announce(sentence(quarter));
    said.current = quarter;
  }, [quarter]);
}

/** The one live region of the page. */
export const Announcer = () => (
  <div class="visually-hidden" role="status" aria-live="polite">
    {useStore(polite)}
  </div>
);
