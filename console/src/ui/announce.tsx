import { makeStore, useStore } from '../store.js';

const polite = makeStore('');

/** Says it to a screen reader, once, without moving anything. */
export function announce(text: string): void {
  // The same text again is only read if it changes in between.
  polite.set('');
  setTimeout(() => polite.set(text), 50);
}

/** The one live region of the page. */
export const Announcer = () => (
  <div class="visually-hidden" role="status" aria-live="polite">
    {useStore(polite)}
  </div>
);
