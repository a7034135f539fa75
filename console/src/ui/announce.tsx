import { useEffect, useRef } from 'preact/hooks';
import { makeStore, useStore } from '../store.js';

/** Enough that none is gone before it is read. */
const most = 8;

const said = makeStore<readonly { id: number; text: string }[]>([]);
let last = 0;

/** Announces it to a screen reader once, without moving the focus and without cutting off another one. */
export function announce(text: string): void {
  last += 1;
  const others = said.get().filter((other) => other.text !== text);
  said.set([...others, { id: last, text }].slice(-most));
}

/** Says at each quarter how far something is. */
export function useSaidProgress(percent: number, sentence: (percent: number) => string): void {
  const reached = useRef(0);
  const quarter = Math.floor(percent / 25) * 25;
  useEffect(() => {
    if (quarter > reached.current) announce(sentence(quarter));
    reached.current = quarter;
  }, [quarter]);
}

/** The one live region of the page; each text is an element of its own, so that the same one is read again. */
export function Announcer() {
  // Another user starts without those of the one before.
  useEffect(() => () => said.set([]), []);
  return (
    <div class="visually-hidden" role="status" aria-live="polite" aria-atomic="false">
      {useStore(said).map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
