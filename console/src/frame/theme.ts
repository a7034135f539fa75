type Theme = 'system' | 'light' | 'dark';

const key = 'holdfast-theme';

export const themeNow = (): Theme =>
  (document.documentElement.dataset.theme as Theme | undefined) ?? 'system';

/** `theme.js` reads it before the next page is painted. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(key);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(key, theme);
    document.documentElement.dataset.theme = theme;
  }
}
