const focusable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';

/** Whoever cares for the focus at a change (a new page, a dialog) has done so by then. */
const graceMs = 100;

/**
 * A button that removes itself, moves or becomes disabled takes the focus with it: a person at a keyboard would begin
 * at the top again. It goes on with what stands there now. @returns how to stop.
 */
export function keepFocus(): () => void {
  let last: Element | null = null;
  const onFocus = ({ target }: FocusEvent) => {
    last = target as Element;
  };
  // A click beside everything leaves the focus nowhere on purpose.
  const onPointer = () => {
    last = null;
  };
  const goOn = (lost: Element, box: Node, after: Node | null) =>
    setTimeout(() => {
      if (document.activeElement !== document.body || last !== lost) return;
      const next = lost.isConnected && !lost.matches(':disabled') ? lost : nearest(box, after);
      next?.focus({ preventScroll: true });
    }, graceMs);
  const observer = new MutationObserver((records) => {
    for (const { type, target, removedNodes, nextSibling } of records) {
      if (!last) return;
      if (type === 'attributes' && target === last) goOn(last, last.parentNode as Node, last);
      else if ([...removedNodes].some((node) => node.contains(last))) return void goOn(last, target, nextSibling);
    }
  });
  addEventListener('focusin', onFocus);
  addEventListener('pointerdown', onPointer, { capture: true });
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    removeEventListener('focusin', onFocus);
    removeEventListener('pointerdown', onPointer, { capture: true });
    observer.disconnect();
  };
}

/** The next control in the box from there on, or the last one before; else in the box around it. */
function nearest(start: Node, from: Node | null): HTMLElement | undefined {
  let after = from?.isConnected ? from : null;
  for (let box: Element | null = start as Element; box && box !== document.body; box = box.parentElement) {
    const all = [...box.querySelectorAll<HTMLElement>(focusable)].filter((one) => one.checkVisibility());
    const isAfter = (one: Node) =>
      after !== null && (after.compareDocumentPosition(one) & 4 || after === one) !== 0;
    const found = all.find(isAfter) ?? all.at(-1);
    if (found) return found;
    after = box.nextSibling;
  }
  return undefined;
}
