import { makeStore } from '../store.js';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const key = 'holdfast-theme';

/** `theme.js` reads it before the next page is painted. */
export const theme = makeStore<Theme>((document.documentElement.dataset.theme as Theme) ?? 'system');

export function chooseTheme(next: Theme): void {
  if (next === 'system') {
    localStorage.removeItem(key);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(key, next);
    document.documentElement.dataset.theme = next;
  }
  theme.set(next);
}
