import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDeep } from '../lane.js';
import { TestServer } from '../server.js';
import { accessibilityFindings, tooWide } from './accessibility.js';
import { withoutRing } from './looks.js';
import { fillWorld } from './screen-world.js';
import { allScreens } from './screens.js';
import { WebConsole } from './web-console.js';

const widths = [320, 768, 1440];
const looks = widths.flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
/** All, or one for each screen in turn. */
const looksAt = (index: number) => looks.filter((_, n) => isDeep || n === index % looks.length);

describe('every screen of the console', () => {
  let server: TestServer;
  let screens: string[];

  beforeAll(async () => {
    server = await TestServer.start();
    screens = await allScreens(server, await fillWorld(server));
  });
  afterAll(async () => {
    await server.remove();
  });

  test.each([0, 1, 2, 3])(
    'is accessible, shows the focus, and never scrolls sideways, quarter %i',
    async (quarter) => {
      const console = await WebConsole.open(server);
      await console.signIn();
      const found: string[] = [];
      for (const [index, screen] of screens.entries()) {
        if (index % 4 !== quarter) continue;
        const page = await console.visit(screen);
        const add = (where: string, what: string[]) =>
          found.push(...what.map((one) => `${screen}${where}: ${one}`));
        for (const { width, colorScheme } of looksAt(index)) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          add(` at ${width}, ${colorScheme}`, await accessibilityFindings(page));
        }
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          add(` at ${width}, too wide`, [(await tooWide(page)) ?? []].flat());
        }
        add('', await withoutRing(page));
      }
      expect(found).toEqual([]);
      expect(console.violations).toEqual([]);
      await console.close();
    },
  );
});
