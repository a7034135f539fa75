const focusable =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';

/** After this, code that moves the focus itself (a new page, a dialog) has done so. */
const graceMs = 100;

/**
 * A button that removes itself, moves or becomes disabled takes the focus with it: a person at a keyboard would begin
 * at the top again. It goes on with what stands there now. @returns how to stop.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | null = null;
  const onFocus = ({ target }: FocusEvent) => {
    last = target as HTMLElement;
  };
  // A click outside of all controls removes the focus on purpose.
  const onPointer = () => {
    last = null;
  };
  const goOn = (lost: HTMLElement, box: Element, after: Node | null) =>
    setTimeout(() => {
      if (document.activeElement !== document.body || last !== lost) return;
      const isHere = lost.isConnected;
      const next =
        isHere && !lost.matches(':disabled') ? lost : (isHere && before(lost, box)) || nearest(box, after);
      next?.focus({ preventScroll: true });
    }, graceMs);
  const observer = new MutationObserver((records) => {
    for (const { type, target, removedNodes, nextSibling } of records) {
      if (!last) return;
      const isGone = [...removedNodes].some((node) => node.contains(last));
      if (isGone) return void goOn(last, target as Element, nextSibling);
      if (type === 'attributes' && target === last) goOn(last, last.parentElement as Element, last);
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

const controlsIn = (box: Element): HTMLElement[] =>
  [...box.querySelectorAll<HTMLElement>(focusable)].filter((one) => one.checkVisibility());

/** For a disabled button that counts or moves, the control before it, not the remove button after it. */
const before = (lost: Element, box: Element): HTMLElement | undefined =>
  controlsIn(box).findLast((one) => one.compareDocumentPosition(lost) & Node.DOCUMENT_POSITION_FOLLOWING);

/** The next control in the box, otherwise its last one, otherwise one in the surrounding box. */
function nearest(start: Element, from: Node | null): HTMLElement | undefined {
  let after = from?.isConnected ? from : null;
  for (let box: Element | null = start; box && box !== document.body; box = box.parentElement) {
    const controls = controlsIn(box);
    const isAfter = (one: Node) =>
      one === after || (after?.compareDocumentPosition(one) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING;
    const found = controls.find(isAfter) ?? controls.at(-1);
    if (found) return found;
    after = box.nextSibling;
  }
  return undefined;
}
