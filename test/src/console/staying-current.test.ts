import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { adminPassword, TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

/** What a page that stays open shows and says when something changes elsewhere. */
describe('an open page of the console', () => {
  let server: TestServer;
  let api: Api;
  let source: string;
  let path: string;
  const ben = { username: 'ben', password: 'a password of ben' };

  beforeAll(async () => {
    server = await TestServer.start();
    api = await server.login();
    source = server.workspace.folder('home');
    mkdirSync(join(source, 'letters'));
    for (const name of ['ann.txt', 'ben.txt']) writeFileSync(join(source, 'letters', name), `Dear ${name}`);
    path = join(server.workspace.path, 'repository');
    await createRepository(api, { name: 'letters', path, source_directories: [source] });
    for (let count = 0; count < 2; count += 1) await endedJob(api, await startBackup(api, path));
    expect((await api.post('/api/auth/users', { ...ben, is_admin: false })).status).toBe(201);
  });
  afterAll(async () => {
    await server.remove();
  });

  /** Opens the folder in the newest archive and chooses a file. */
  async function chooseAnn({ page, url }: WebConsole): Promise<Locator> {
    const { archives } = (await api.get('/api/archives/list?repository_id=1')).body;
    const newest = encodeURIComponent(archives.at(-1).name);
    await page.goto(`${url}/repositories/1/browse/${newest}/${source.slice(1)}/letters`);
    const ann = page.getByRole('checkbox', { name: 'Select ann.txt' });
    const read = page.getByRole('button', { name: 'Read it' });
    await read.or(ann).first().waitFor();
    if (await read.isVisible()) await read.click();
    await ann.check();
    return ann;
  }

  test('keeps the selected files of an archive for another date', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const { page } = console;
    const ann = await chooseAnn(console);
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByRole('status').filter({ hasText: /1 .*B/ }).waitFor();
    const before = page.url();
    const older = page.getByRole('button', { name: 'Older archive' });
    await older.click();
    await expect.poll(() => page.url()).not.toBe(before);
    expect(await ann.isChecked()).toBe(true);
    expect(page.url()).toContain('/letters');
    // How large it was then is not known.
    expect(await bar.getByRole('status').textContent()).not.toContain('B');
    await page.getByRole('button', { name: 'Newer archive' }).click();
    await expect.poll(() => page.url()).toBe(before);
    await page.getByRole('checkbox', { name: 'Select ann.txt', checked: true }).waitFor();
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('shows the result of a job and keeps one stream after the back-forward cache', async () => {
    const console = await WebConsole.open(server);
    await console.context.addInitScript('delete globalThis.SharedWorker');
    let streams = 0;
    console.page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/events') streams += 1;
    });
    await console.signIn();
    const { page } = console;
    await page.locator('html:not([data-outdated])').waitFor({ state: 'attached' });
    await page.evaluate(() => {
      for (const kind of ['pagehide', 'pageshow'])
        dispatchEvent(new PageTransitionEvent(kind, { persisted: true }));
    });
    await endedJob(api, await startBackup(api, path));
    await page.getByRole('status').filter({ hasText: 'Backup of letters: Done.' }).waitFor();
    expect(streams).toBe(1);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('reloads data without events when the user returns', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const page = await console.visit('/settings/people');
    await page.getByText('ben', { exact: true }).waitFor();
    expect((await api.post('/api/auth/users', { ...ben, username: 'carl' })).status).toBe(201);
    await expect
      .poll(
        async () => {
          await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
          return page.getByText('carl', { exact: true }).isVisible();
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(true);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('starts a backup from the search and shows one started by keys', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const { page } = console;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('back up');
    await page.getByRole('option', { name: /letters/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Backup of letters' }).waitFor();
    const requested = page
      .getByRole('main')
      .getByRole('button')
      .filter({ hasText: /now|ago/ })
      .first();
    await requested.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /\d{4}.*\d{2}:\d{2}:\d{2}/ }).waitFor();
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('keeps typed text while a change is saved', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    await console.confirmed();
    const page = await console.visit('/repositories/1/settings');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('letters of ann');
    let isHeld = false;
    const sent = new Promise<Route>((resolve) => {
      void page.route('**/api/repositories/1', (route) => {
        if (isHeld || route.request().method() !== 'PUT') return route.continue();
        isHeld = true;
        resolve(route);
      });
    });
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    const saving = await sent;
    await name.fill('letters of ann and ben');
    await saving.continue();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor({ state: 'attached' });
    expect(await name.inputValue()).toBe('letters of ann and ben');
    await save.click();
    await expect
      .poll(async () => (await api.get('/api/repositories/1')).body.repository.name)
      .toBe('letters of ann and ben');
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('starts fresh for another user', async () => {
    const console = await WebConsole.open(server);
    await console.signIn(ben);
    const { page } = console;
    const ann = await chooseAnn(console);
    await endedJob(api, await startBackup(api, path));
    const said = page.getByRole('status').filter({ hasText: 'Backup of letters' });
    await said.waitFor();
    const users: { id: number; username: string }[] = (await api.get('/api/auth/users')).body;
    const id = users.find(({ username }) => username === 'ben')?.id;
    const reset = { new_password: 'another password' };
    expect((await api.post(`/api/settings/users/${id}/reset-password`, reset)).status).toBe(200);
    await page.getByRole('heading', { name: 'Sign in to Holdfast' }).waitFor({ timeout: 60_000 });
    await page.locator('input[name=username]').fill('admin');
    await page.locator('input[name=password]').fill(adminPassword);
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Account of admin' }).waitFor();
    await ann.waitFor();
    expect(await ann.isChecked()).toBe(false);
    expect(await said.count()).toBe(0);
    expect(console.violations).toEqual([]);
    await console.close();
  });
});
