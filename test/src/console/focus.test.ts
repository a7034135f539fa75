import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer } from '../server.js';
import { Keyboard } from './keyboard.js';
import { fillWorld } from './screen-world.js';
import { WebConsole } from './web-console.js';

describe('the focus', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
    await fillWorld(server);
  });
  afterAll(async () => {
    await server.remove();
  });

  async function open(address: string) {
    const console = await WebConsole.open(server, { width: 1440 });
    await console.signIn();
    const page = await console.visit(address);
    const keyboard = new Keyboard(page);
    const close = async () => {
      expect(keyboard.complaints).toEqual([]);
      expect(console.violations).toEqual([]);
      await console.close();
    };
    return { page, keyboard, close };
  }

  test('skips to the content and moves to the heading of each page', async () => {
    const { page, keyboard, close } = await open('/');
    await keyboard.enter(page.getByRole('link', { name: 'Skip to content' }));
    await keyboard.isAt(page.getByRole('main'));
    await keyboard.reach(page.getByRole('main').getByRole('link').first(), { most: 1 });
    for (const [place, title] of [
      ['Repositories', 'Repositories'],
      ['Schedules', 'Schedules'],
      ['Activity', 'Activity'],
      ['Settings', 'Settings'],
    ] as const) {
      await keyboard.enter(page.getByRole('link', { name: place, exact: true }));
      await keyboard.arrives(title);
    }
    await keyboard.enter(page.getByRole('link', { name: 'Notifications' }).last());
    await keyboard.arrives('Notifications');
    await page.goBack();
    await keyboard.arrives('Settings');
    await close();
  });

  test('stays in sight while a picture above it loads', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const { page } = console;
    const held = new Promise<Route>((resolve) => {
      void page.route('**/api/history/days?*', resolve);
    });
    await page.goto(`${console.url}/activity`);
    const list = page.getByRole('heading', { level: 2, name: 'Ended' });
    await list.waitFor();
    const picture = await held;
    const before = await list.boundingBox();
    await picture.continue();
    await page.getByRole('heading', { name: 'The last year' }).waitFor();
    const after = await list.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(44);
    await console.close();
  });

  test('returns to the opener of a dialog or menu', async () => {
    const { page, keyboard, close } = await open('/repositories/1');
    const search = page.getByRole('button', { name: 'Search and commands' });
    await keyboard.enter(search);
    await keyboard.isAt(page.getByRole('combobox', { name: /^Page, repository/ }));
    await keyboard.press('Escape');
    await keyboard.isAt(search);
    const account = page.getByRole('button', { name: 'Account of admin' });
    await keyboard.enter(account);
    await keyboard.isAt(page.getByRole('menuitem', { name: 'Your account' }));
    await keyboard.press('Escape');
    await keyboard.isAt(account);
    const check = page.getByRole('button', { name: /^Check/ });
    await keyboard.enter(check);
    await page.getByRole('dialog').waitFor();
    await keyboard.enter(page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
    await keyboard.isAt(check);
    await close();
  });

  test('returns to the button of a selected folder', async () => {
    const { page, keyboard, close } = await open('/add');
    const add = page.getByRole('button', { name: 'Add a folder' });
    await keyboard.enter(add);
    const dialog = page.getByRole('dialog', { name: 'Add a folder' });
    await keyboard.type(dialog.getByRole('textbox', { name: 'Folder' }), server.workspace.path);
    await keyboard.press('Enter');
    await keyboard.enter(dialog.getByRole('button', { name: 'source', exact: true }));
    // The folder was opened: its list is a new one.
    await keyboard.isAt(dialog.getByRole('button', { name: 'One level up' }));
    await keyboard.enter(dialog.getByRole('button', { name: 'Choose this folder' }));
    await keyboard.isAt(add);
    const path = `${server.workspace.path}/source`;
    await keyboard.reach(page.getByRole('button', { name: `Remove ${path}` }), { back: true });
    await keyboard.press('Enter');
    await keyboard.isAt(add);
    await close();
  });
});
