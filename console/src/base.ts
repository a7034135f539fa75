/** Where the page is published, without a slash at its end: empty, or `/holdfast`. */
export const base = import.meta.env.DEV
  ? ''
  : new URL(/* @vite-ignore */ '..', import.meta.url).pathname.replace(/\/$/, '');
