import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { Keyboard } from './keyboard.js';
import { WebConsole } from './web-console.js';

const folders = 120;

describe('with the keyboard only', () => {
  let server: TestServer;
  let api: Api;
  let archive: string;
  /** As it is in the archive: without the slash before it. */
  let source: string;

  beforeAll(async () => {
    server = await TestServer.start();
    api = await server.login();
    const home = server.workspace.folder('home');
    source = home.slice(1);
    for (let folder = 0; folder < folders; folder += 1) {
      const path = join(home, `folder-${String(folder).padStart(3, '0')}`);
      mkdirSync(path);
      for (const name of ['ann.txt', 'ben.txt']) writeFileSync(join(path, name), `${folder} ${name}`);
    }
    writeFileSync(join(home, 'lost.txt'), 'Dear Ann');
    const path = join(server.workspace.path, 'letters');
    await createRepository(api, { name: 'letters', path, source_directories: [home] });
    const photos = join(server.workspace.path, 'photos');
    await createRepository(api, { name: 'photos', path: photos, source_directories: [home] });
    archive = (await endedJob(api, await startBackup(api, path))).archive_name as string;
  });
  afterAll(async () => {
    await server.remove();
  });

  async function open(width: number) {
    const console = await WebConsole.open(server, { width });
    await console.signIn();
    const { page } = console;
    const keyboard = new Keyboard(page);
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const close = async () => {
      expect(keyboard.complaints).toEqual([]);
      expect(console.violations).toEqual([]);
      await console.close();
    };
    return { console, page, keyboard, button, close };
  }

  test.each([390, 1440])('finds and downloads a lost file at %i px', async (width) => {
    const { page, keyboard, button, close } = await open(width);
    await keyboard.arrives(/protected|unknown|late/);
    await keyboard.press('Control+k');
    await keyboard.isAt(page.getByRole('combobox'));
    await page.keyboard.type('lost');
    await page.getByRole('option', { name: 'Find the file “lost”' }).waitFor();
    await keyboard.press('Enter');
    await keyboard.arrives('Restore files');
    const more = button(/^Search (it|them)/);
    await more.or(button('Download lost.txt')).first().waitFor();
    if (await more.isVisible()) await keyboard.enter(more);
    const download = page.waitForEvent('download');
    await keyboard.enter(button('Download lost.txt'));
    expect(readFileSync(await (await download).path(), 'utf8')).toBe('Dear Ann');
    await close();
  });

  test('restores files into a new folder', async () => {
    const { page, keyboard, button, close } = await open(390);
    const target = join(server.workspace.path, 'restored');
    await keyboard.press('g', 'r');
    await keyboard.arrives('Repositories');
    await keyboard.enter(page.getByRole('link', { name: 'Restore files' }));
    await keyboard.arrives('Restore files');
    await keyboard.enter(button('Choose files'));
    await keyboard.arrives('Files of letters');
    // Through folders with one entry the way goes by itself.
    await keyboard.reach(page.getByRole('row', { name: /folder-000/ }));
    await keyboard.press(' ', 'ArrowDown', ' ');
    await keyboard.enter(button('Restore…'));
    await keyboard.arrives('Restore files');
    await keyboard.type(page.getByRole('textbox', { name: 'Folder', exact: true }), target);
    await keyboard.press('Enter');
    await page.getByText('Everything is ready.').waitFor();
    await keyboard.enter(button(/^Restore 4 files to/));
    await keyboard.arrives(/letters/);
    await page.getByText('Everything that you selected is in place.').waitFor();
    expect(readFileSync(join(target, 'folder-001', 'ann.txt'), 'utf8')).toBe('1 ann.txt');
    await close();
  });

  test('moves, opens, selects and filters in the file browser', async () => {
    const { console, page, keyboard, close } = await open(1440);
    await console.visit(`/repositories/1/browse/${archive}/${source}`);
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    const read = page.getByRole('button', { name: 'Read it' });
    await read.or(row('folder-000')).first().waitFor();
    if (await read.isVisible()) await keyboard.enter(read);
    const grid = page.getByRole('grid');
    await grid.waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(folders + 2));
    await keyboard.reach(row('folder-000'));
    await keyboard.press('ArrowDown', 'ArrowDown', 'ArrowUp');
    await keyboard.isAt(row('folder-001'));
    await keyboard.press('End');
    await keyboard.isAt(row('lost.txt'));
    expect(await row('lost.txt').getAttribute('aria-rowindex')).toBe(String(folders + 2));
    await keyboard.press(...Array.from({ length: 20 }, () => 'ArrowUp'));
    await keyboard.isAt(row('folder-100'));
    await keyboard.press('Enter');
    await keyboard.isAt(row('ann.txt'));
    await keyboard.press('Backspace');
    // It is where one came from, and in sight.
    await keyboard.isAt(row('folder-100'));
    await expect.poll(() => keyboard.hidden()).toBeNull();
    await keyboard.press(' ');
    expect(await row('folder-100').getAttribute('aria-selected')).toBe('true');
    await page.getByRole('region', { name: 'Selection' }).getByText('1 item').waitFor();
    await keyboard.press(' ', 'Home');
    await keyboard.isAt(row('folder-000'));
    await keyboard.press('/');
    await keyboard.isAt(page.getByRole('searchbox', { name: 'Filter this folder by name' }));
    await page.keyboard.type('lost');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2');
    await keyboard.reach(row('lost.txt'));
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'lost.txt' }).waitFor();
    await keyboard.press('Escape');
    await keyboard.isAt(row('lost.txt'));
    await close();
  });

  test('creates a schedule with ordered repositories and custom counts', async () => {
    const { page, keyboard, button, close } = await open(1440);
    await keyboard.press('g', 's');
    await keyboard.arrives('Schedules');
    await keyboard.enter(page.getByRole('link', { name: 'New schedule' }).first());
    await keyboard.arrives('New schedule');
    await keyboard.type(page.getByRole('textbox', { name: 'Name', exact: true }), 'nightly');
    const add = page.getByRole('combobox', { name: 'Add a repository' });
    await keyboard.reach(add);
    await page.keyboard.type('letters');
    await keyboard.enter(button('Add'));
    await keyboard.isAt(add);
    await page.keyboard.type('photos');
    await keyboard.enter(button('Add'));
    await button('Earlier: photos').waitFor();
    // There is no other repository: the field has gone.
    await keyboard.reach(button('Earlier: photos'), { back: true });
    await keyboard.press('Enter');
    // The button is of no more use; the one beside it is.
    await keyboard.isAt(button('Later: photos'));
    await keyboard.enter(page.locator('summary', { hasText: 'Custom counts' }));
    await keyboard.enter(button('Increase Daily'));
    await keyboard.press('Enter');
    await keyboard.enter(button('Decrease Yearly'));
    // Once more would mean no limit.
    await keyboard.isAt(button('Decrease Yearly'));
    await keyboard.enter(button('Create schedule'));
    await keyboard.arrives('nightly');
    const [schedule] = (await api.get('/api/schedule/')).body.jobs;
    expect(schedule).toMatchObject({ repository_ids: [2, 1], prune_keep_daily: 9, prune_keep_yearly: 0 });
    await close();
  });
});
