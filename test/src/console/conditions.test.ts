import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer } from '../server.js';
import { tooWide } from './accessibility.js';
import { coveredByBars, cutOff, lostWithoutColours, smallTargets, untranslated } from './looks.js';
import { fillWorld } from './screen-world.js';
import { allScreens } from './screens.js';
import { WebConsole } from './web-console.js';

describe('every screen of the console', () => {
  let server: TestServer;
  let all: string[];

  beforeAll(async () => {
    server = await TestServer.start();
    all = await allScreens(server, await fillWorld(server));
  });
  afterAll(async () => {
    await server.remove();
  });

  test('supports touch, 400 % zoom, system colours and reduced motion', async () => {
    const console = await WebConsole.open(server, { width: 390, language: 'de' });
    const found: string[] = [];
    const add = (where: string, what: string[]) => found.push(...what.map((one) => `${where}: ${one}`));
    await console.page.goto(console.url);
    await console.page.getByRole('heading', { level: 1 }).waitFor();
    add('the sign-in for a finger', await smallTargets(console.page));
    await console.signIn();
    const restore = console.page.locator('header a[href$="/restore"] span');
    expect(await restore.evaluate((word) => word.scrollWidth - word.clientWidth)).toBeLessThanOrEqual(0);
    for (const screen of all) {
      await console.page.setViewportSize({ width: 390, height: 844 });
      const page = await console.visit(screen);
      add(`${screen} for a finger`, await smallTargets(page));
      add(`${screen} in English`, await untranslated(page));
      const moving = await page.evaluate(() => document.getAnimations().length);
      if (moving > 0) found.push(`${screen}: ${moving} animations`);
      const box = page.getByRole('row').first().getByRole('checkbox');
      if (await box.isVisible()) await box.check();
      // 1280 × 1024 px at 400 %.
      await page.setViewportSize({ width: 320, height: 256 });
      const wide = await tooWide(page);
      add(`${screen} at 400 %`, [...(wide ? [wide] : []), ...(await cutOff(page))]);
      const covered = await coveredByBars(page);
      if (covered > 0.5) found.push(`${screen} at 400 %: bars cover ${Math.round(100 * covered)} %`);
      await page.emulateMedia({ forcedColors: 'active' });
      add(`${screen} in forced colours`, await lostWithoutColours(page));
      await page.emulateMedia({ forcedColors: 'none' });
    }
    expect(found).toEqual([]);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('shows no muted text with higher contrast', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const page = await console.visit('/activity/1');
    const colours = () =>
      page.evaluate(() =>
        ['main', 'main .muted'].map(
          (what) => getComputedStyle(document.querySelector(what) as Element).color,
        ),
      );
    const [text, muted] = await colours();
    expect(muted).not.toBe(text);
    await page.emulateMedia({ contrast: 'more' });
    expect(await colours()).toEqual([text, text]);
    await console.close();
  });
});
