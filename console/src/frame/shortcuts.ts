const key = 'holdfast-shortcuts';

export const shortcutsAreOn = (): boolean => localStorage.getItem(key) !== 'off';
export const switchShortcuts = (isOn: boolean): void => localStorage.setItem(key, isOn ? 'on' : 'off');

const goTo: Record<string, string> = {
  h: '/',
  r: '/repositories',
  s: '/schedules',
  a: '/activity',
  n: '/settings',
};

interface Actions {
  navigate(address: string): void;
  openPalette(): void;
  openHelp(): void;
}

/** Single keys, unless the person types or has switched them off; Ctrl K always. @returns how to stop. */
export function followShortcuts({ navigate, openPalette, openHelp }: Actions): () => void {
  let isGoing = false;
  const onKey = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
      event.preventDefault();
      return openPalette();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !shortcutsAreOn()) return;
    const address = isGoing ? goTo[event.key] : undefined;
    isGoing = event.key === 'g';
    if (address) navigate(address);
    else if (event.key === '?') openHelp();
    else if (event.key === '/') openPalette();
    else if (event.key === 'b') navigate('/repositories?backup');
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

const isTyping = ({ target, defaultPrevented }: KeyboardEvent): boolean =>
  defaultPrevented ||
  (target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], dialog, [role=grid], [role=menu]') !== null);
