import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer } from '../server.js';
import { tooWide } from './accessibility.js';
import { apiWords } from './looks.js';
import { fillWorld } from './screen-world.js';
import { allScreens } from './screens.js';
import { WebConsole } from './web-console.js';

const complaint = (where: string, what: string | null) =>
  what === null ? [] : [`${where}: too wide: ${what}`];

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

  test('shows only translated text, and fits longer and right-to-left text at 320 px', async () => {
    const console = await WebConsole.open(server, { width: 320, language: 'pseudo' });
    await console.signIn();
    const found: string[] = [];
    for (const screen of screens) {
      const page = await console.visit(screen);
      found.push(...complaint(`${screen} with long words`, await tooWide(page)));
      found.push(...(await apiWords(page)).map((word) => `${screen}: a name of the API: ${word}`));
      await page.evaluate(() => {
        document.documentElement.dir = 'rtl';
      });
      found.push(...complaint(`${screen} from right to left`, await tooWide(page)));
      const bare = await page.evaluate(() =>
        [...document.querySelectorAll('main button, main label, main h1, main h2, main legend')]
          .filter((element) => element.checkVisibility() && element.textContent?.trim())
          .filter(
            (element) =>
              !element.textContent?.includes('⟦') &&
              !element.closest('[translate=no], pre') &&
              !element.querySelector('bdi, time'),
          )
          .map((element) => element.outerHTML.slice(0, 200)),
      );
      found.push(...bare.map((html) => `${screen}: not from the messages: ${html}`));
    }
    expect(found).toEqual([]);
    expect(console.violations).toEqual([]);
    await console.close();
  });
});
