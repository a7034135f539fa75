import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { loaded, settled } from './web-console.js';

const mostLooks = 20;

/**
 * A person who has nothing but a keyboard. Wherever the focus stops on the way, it must be seen: with a ring of at
 * least 2 px, and not hidden below a bar.
 */
export class Keyboard {
  readonly complaints: string[] = [];

  constructor(readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Goes from stop to stop until the target has the focus; whoever passes many of them is lost. */
  async reach(target: Locator, { back = false, most = 60 } = {}): Promise<void> {
    await target.waitFor();
    const passed: string[] = [];
    while (passed.length < most) {
      await this.press(back ? 'Shift+Tab' : 'Tab');
      const { isThere, what, complaint } = await this.#settled(target);
      if (complaint) this.complaints.push(`${new URL(this.page.url()).pathname}: ${complaint}`);
      if (isThere) return;
      passed.push(what);
    }
    throw new Error(`${target} was not reached, but: ${passed.join(' > ')}`);
  }

  /** Looks again once nothing is loading, which moves the focused element: a real fault remains. */
  async #settled(target: Locator) {
    const first = await target.evaluate(look);
    if (!first.complaint) return first;
    await loaded(this.page);
    for (let looks = 0; ; looks += 1) {
      const found = await target.evaluate(look);
      if (!found.complaint || looks === mostLooks) return found;
      await this.page.waitForTimeout(100);
    }
  }

  /** Presses the button, or follows the link. */
  async enter(target: Locator): Promise<void> {
    await this.reach(target);
    await this.press('Enter');
  }

  /** Into a field; what is proposed in it is replaced. */
  async type(target: Locator, text: string): Promise<void> {
    await this.reach(target);
    await this.press('Control+a');
    await this.page.keyboard.type(text);
  }

  /** A new page has begun: its heading has the focus, from which Tab leads into its content. */
  async arrives(title: string | RegExp): Promise<void> {
    await this.isAt(this.page.getByRole('heading', { level: 1, name: title, exact: true }));
    await settled(this.page);
  }

  /** What has the focus, if it can't be seen. */
  async hidden(): Promise<string | null> {
    const { complaint } = await this.page.locator('body').evaluate(look);
    return complaint;
  }

  async isAt(target: Locator): Promise<void> {
    await target.waitFor();
    await expect
      .poll(async () => (await target.evaluate(look)).focused, { message: `not ${target}`, timeout: 60_000 })
      .toBe('');
  }
}

/** Where the focus is now, and what is wrong with how it is shown. Runs in the page. */
function look(target: Element) {
  const at = document.activeElement ?? document.body;
  const isThere = at === target;
  const what = `${at.tagName} ${at.getAttribute('aria-label') ?? at.id} ${at.textContent?.trim().slice(0, 40)}`;
  const focused = isThere ? '' : what;
  if (at === document.body) return { isThere, what, focused, complaint: null };
  // The ring of a link may be drawn around its whole row.
  const hasRing = [null, '::after'].some((part) => {
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(at, part);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && opacity !== '0';
  });
  const { left, top, right, bottom } = at.getBoundingClientRect();
  const points = [
    [(left + right) / 2, (top + bottom) / 2],
    [left + 2, top + 2],
    [right - 2, bottom - 2],
  ] as const;
  const isSeen = points.some(([x, y]) => {
    const front = document.elementFromPoint(x, y);
    return front !== null && (at.contains(front) || front.contains(at));
  });
  const complaint = hasRing ? (isSeen ? null : `hidden: ${what}`) : `no ring: ${what}`;
  return { isThere, what, focused, complaint };
}
