/** A grid is one stop of the Tab key: arrows go on to the next of `keys` that is there, an element with `data-key`. */
export function goByArrows(
  event: KeyboardEvent,
  keys: readonly (string | undefined)[],
  stop: string | undefined,
  width = 7,
): void {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[event.key];
  if (step === undefined || stop === undefined) return;
  event.preventDefault();
  let at = keys.indexOf(stop) + step;
  while (at in keys && keys[at] === undefined) at += step;
  (event.currentTarget as Element).querySelector<HTMLElement>(`[data-key="${keys[at] ?? stop}"]`)?.focus();
}
