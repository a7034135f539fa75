import type { Page } from 'playwright-core';

/** What a finger would miss: everything to press that has less than 44 px in a direction, links in sentences aside. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wanted = 44;
    // A dialog is all there is while it is open.
    const root = document.querySelector('dialog[open]') ?? document;
    const all = root.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary');
    const isInSentence = (element: Element) =>
      element.tagName === 'A' &&
      getComputedStyle(element).display === 'inline' &&
      (element.parentElement?.textContent?.trim().length ?? 0) > (element.textContent?.trim().length ?? 0);
    const found: string[] = [];
    for (const element of all) {
      if (!element.checkVisibility() || isInSentence(element) || element.matches('a[href="#main"]')) continue;
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      const isHit = (dx: number, dy: number) => {
        const hit = document.elementFromPoint(x + dx, y + dy);
        return hit !== null && [element, ...labels].some((one) => one.contains(hit));
      };
      const reach = (dx: number, dy: number) => {
        let steps = 0;
        while (steps < wanted && isHit(dx * steps, dy * steps)) steps += 0.5;
        return steps;
      };
      const [across, down] = [reach(1, 0) + reach(-1, 0), reach(0, 1) + reach(0, -1)];
      // Half a pixel at each end is lost by the steps.
      if (across < wanted - 1 || down < wanted - 1)
        found.push(`${across} × ${down}: ${element.outerHTML.slice(0, 160)}`);
    }
    return found;
  });

/** The part of the window that bars cover in the middle of the page, from 0 to 1. */
export const coveredByBars = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { documentElement: root } = document;
    scrollTo({ top: (root.scrollHeight - innerHeight) / 2, behavior: 'instant' });
    const isBar = (element: Element | null): boolean =>
      element !== null &&
      element.tagName !== 'DIALOG' &&
      (['fixed', 'sticky'].includes(getComputedStyle(element).position) || isBar(element.parentElement));
    let [covered, all] = [0, 0];
    for (let y = 2; y < innerHeight; y += 4)
      for (let x = 2; x < innerWidth; x += 32) {
        all += 1;
        if (isBar(document.elementFromPoint(x, y))) covered += 1;
      }
    return covered / all;
  });

/** Words that end at the edge of their box. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter(
        (element) => element.checkVisibility() && !element.closest('.visually-hidden, svg, select, input'),
      )
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
      .filter((element) => ['hidden', 'clip'].includes(getComputedStyle(element).overflowX))
      .map((element) => element.outerHTML.slice(0, 200)),
  );

/** What can't be told apart if the browser replaces all colours. */
export const lostWithoutColours = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const complaints: string[] = [];
    for (const button of document.querySelectorAll<HTMLElement>(
      'main button:enabled, main a[class*=button]',
    )) {
      const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor, textDecorationLine } =
        getComputedStyle(button);
      const isDrawn = Number.parseFloat(borderTopWidth) >= 1 && borderTopStyle !== 'none';
      // What looks like a link is one, and a row has its lines.
      const isLink = textDecorationLine === 'underline' || button.matches('[role=row] *');
      if (!button.checkVisibility() || isLink) continue;
      if (!isDrawn || borderTopColor === backgroundColor)
        complaints.push(`no border: ${button.outerHTML.slice(0, 160)}`);
    }
    const shapes = new Map<string, string>();
    for (const state of document.querySelectorAll<HTMLElement>('[data-state]')) {
      const mark = state.querySelector('svg');
      const { state: name = '' } = state.dataset;
      if (!state.textContent?.trim()) complaints.push(`no word: ${name}`);
      if (!mark || getComputedStyle(mark).color === getComputedStyle(document.body).backgroundColor)
        complaints.push(`no mark: ${name}`);
      const shape = mark?.innerHTML ?? '';
      if ((shapes.get(shape) ?? name) !== name)
        complaints.push(`${name} has the shape of ${shapes.get(shape)}`);
      shapes.set(shape, name);
    }
    return complaints;
  });

/** Names of fields, variables and routes of the API, which are not for people. */
export const apiWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const names = /(?<![/\w])[a-z]+(?:_[a-z]+)+\b|(?:GET|POST|PUT|PATCH|DELETE) \/\S+|\/api\/\S+|\bdocker\b/g;
    const found: string[] = [];
    const texts = document.createTreeWalker(document.querySelector('main') ?? document, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement: parent, textContent: text } = texts.currentNode;
      // What people typed, commands, and names of files.
      if (parent?.closest('pre, code, bdi, textarea, [translate=no], label')) continue;
      found.push(...(text?.match(names) ?? []).map((name) => `${name} in ${text}`));
    }
    return found;
  });

/** Sentences of the service that stayed English on a page of another language. */
export const untranslated = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main [lang=en]')]
      // Logs, passphrases, and what services of others say of their fields and connections.
      .filter(
        (element) =>
          !element.closest('pre, bdi, [translate=no], [id$=-hint]') && !element.querySelector('bdi'),
      )
      .map((element) => element.textContent ?? '')
      .filter((text) => !text.includes('127.0.0.1')),
  );

/** Everything that takes the focus of the keyboard without showing it with a ring of at least 2 px. */
export async function withoutRing(page: Page): Promise<string[]> {
  // From here on, the focus is one of the keyboard.
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    )) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      element.focus();
      if (document.activeElement !== element) continue;
      // The ring of a link may be drawn around its whole row.
      const isRinged = [null, '::after'].some((part) => {
        const { outlineStyle, outlineWidth, opacity } = getComputedStyle(element, part);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && opacity !== '0';
      });
      if (!isRinged) found.push(`no ring: ${element.outerHTML.slice(0, 160)}`);
    }
    return found;
  });
}
