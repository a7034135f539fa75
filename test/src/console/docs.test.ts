import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

/** The site as the server sends it, without a session. */
describe('the documentation', () => {
  const base = '/holdfast';
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start({ env: { BASE_PATH: base } });
  });
  afterAll(async () => {
    await server.remove();
  });

  const found = [
    ['quota exceeded', 'Troubleshooting and FAQ: Quota exceeded'],
    ['Hetzner', 'Storage: Hetzner Storage Box'],
    ['locked', 'Troubleshooting and FAQ: The repository is locked'],
  ];

  test.each([1440, 390])('opens every page, at a width of %i', async (width) => {
    const { page, url, violations, close } = await open(width);
    await page.goto(`${url}${base}/docs/`);
    expect(page.url()).toBe(`${url}${base}/docs/index.html`);
    const links = page.locator('#pages a');
    const addresses = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    expect(addresses.length).toBeGreaterThan(25);
    for (const address of addresses) {
      const answer = await page.goto(address);
      expect([address, answer?.status()]).toEqual([address, 200]);
      const isWide = () => document.documentElement.scrollWidth > window.innerWidth;
      expect([address, await page.evaluate(isWide)]).toEqual([address, false]);
      const broken = () => [...document.images].filter((image) => image.naturalWidth === 0).length;
      expect([address, await page.evaluate(broken)]).toEqual([address, 0]);
    }
    expect(violations).toEqual([]);
    await close();
  });

  test.each([1440, 390])('finds pages by words, at a width of %i', async (width) => {
    const { page, url, violations, close } = await open(width);
    await page.goto(`${url}${base}/docs/guides/restore.html`);
    for (const [words = '', title = ''] of found) {
      await page.getByRole('searchbox').fill(words);
      await page.locator('.found a').filter({ hasText: title }).click();
      const heading = title.split(': ')[1] ?? title;
      await page.getByRole('heading', { name: heading }).waitFor();
      expect(decodeURI(new URL(page.url()).hash)).toBe(`#${heading.toLowerCase().replaceAll(' ', '-')}`);
    }
    await page.getByRole('searchbox').fill('xylophone');
    await page.getByText('No results.').waitFor();
    expect(violations).toEqual([]);
    await close();
  });

  test.each([1440, 390])('opens the page of a screen, at a width of %i', async (width) => {
    const opened = await WebConsole.open(server, { width });
    await opened.signIn();
    for (const [screen, title] of [
      ['/', 'Protection'],
      ['/settings/hosts', 'Back up another host'],
      ['/no/such/screen', 'Holdfast documentation'],
    ] as const) {
      const page = await opened.visit(`${base}${screen}`);
      const popup = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'Help', exact: true }).click();
      const docs = await popup;
      await docs.getByRole('heading', { name: title, exact: true }).waitFor();
      expect(new URL(docs.url()).pathname).toMatch(/^\/holdfast\/docs\/.*\.html$/);
      await docs.close();
    }
    expect(opened.violations).toEqual([]);
    await opened.close();
  });

  async function open(width: number) {
    const opened = await WebConsole.open(server, { width });
    const { page, violations, url } = opened;
    return { page, violations, url: new URL(url).origin, close: () => opened.close() };
  }
});
