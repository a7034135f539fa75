import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  impact: string | null;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe finds wrong on the page as it is now, of any impact, one text each. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // As a debugger does it: the policy of the page forbids it to everybody else.
  const there = await page.evaluate("typeof axe !== 'undefined'");
  if (!there) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: source });
    await session.detach();
  }
  const findings = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as Finding[];
  return findings.map(
    ({ id, impact, help, nodes }) =>
      `${id} (${impact}): ${help}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`)
        .join(' | ')}`,
  );
}

/** What makes the page scroll sideways, if it does. */
export const tooWide = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth, dir } = document.documentElement;
    if (scrollWidth <= clientWidth) return null;
    const isOutside = (element: Element) => {
      const { left, right } = element.getBoundingClientRect();
      return dir === 'rtl' ? left < -1 : right > clientWidth + 1;
    };
    const outside = [...document.body.querySelectorAll('*')].filter(isOutside);
    return outside.at(-1)?.outerHTML.slice(0, 300) ?? `${scrollWidth} instead of ${clientWidth}`;
  });
