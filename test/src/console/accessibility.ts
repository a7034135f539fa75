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

/** Whether something makes the page scroll sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
