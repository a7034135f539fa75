import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

const offLine = /^Not connected to Holdfast since/;

/** A zone in which it is between nine and noon now. */
function morningZone(): string {
  const behind = Math.min(new Date().getUTCHours() - 9, 12);
  return `Etc/GMT${behind < 0 ? '' : '+'}${behind}`;
}

describe('problems in the console', () => {
  let server: TestServer;
  let api: Api;
  let console: WebConsole;

  beforeAll(async () => {
    server = await TestServer.start();
    api = await server.login();
    console = await WebConsole.open(server);
    await console.signIn({ remember: true });
  });
  afterAll(async () => {
    await console.close();
    await server.remove();
  });

  test('empty: shows one sentence and at most one action', async () => {
    for (const [address, sentence, action] of [
      ['/repositories', /^Nothing is protected yet/, 'Protect a folder'],
      ['/schedules', /^No schedules yet/, 'New schedule'],
      ['/activity', /^No jobs yet/, null],
      ['/settings/notifications', /^No notifications yet/, 'Add a channel'],
    ] as const) {
      const page = await console.visit(address);
      const empty = page.locator('main p').filter({ hasText: sentence }).first();
      await empty.waitFor();
      const actions = page.locator('main').getByRole('link').or(page.locator('main').getByRole('button'));
      if (action === null) expect(await actions.count()).toBe(0);
      else await actions.filter({ hasText: action }).first().waitFor();
      expect(await page.locator('main img, main [role=alert]').count()).toBe(0);
    }
  });

  test('first load: reserves space after 150 ms without a spinner', async () => {
    const source = server.workspace.folder('letters');
    writeFileSync(join(source, 'ann.txt'), 'Dear Ann');
    const path = join(server.workspace.path, 'repository');
    await createRepository(api, { name: 'letters', path, source_directories: [source] });
    await endedJob(api, await startBackup(api, path));
    const page = await console.context.newPage();
    console.watch(page);
    let release = () => {};
    const isHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/jobs\?/, async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.addInitScript(() => {
      const times: { since?: number; shown?: number } = {};
      Object.assign(globalThis, { times });
      const look = () => {
        const skeleton = document.querySelector('main [aria-busy=true]');
        if (skeleton) times.since ??= performance.now();
        if (skeleton && getComputedStyle(skeleton).opacity !== '0') times.shown ??= performance.now();
        else requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(`${console.url}/activity`);
    const waited = () =>
      page.evaluate(() => {
        const { since, shown } = (globalThis as { times?: { since?: number; shown?: number } }).times ?? {};
        return since !== undefined && shown !== undefined ? shown - since : 0;
      });
    await expect.poll(waited).toBeGreaterThan(100);
    expect((await page.locator('main [aria-busy=true]').first().boundingBox())?.height).toBeGreaterThan(100);
    release();
    await page
      .locator('main')
      .getByRole('link', { name: /letters/ })
      .first()
      .waitFor();
    // The year comes later than the jobs.
    await expect.poll(() => page.locator('main [aria-busy=true]').count()).toBe(0);
    await page.close();
  });

  test('old: shows the date of an outdated list', async () => {
    const inTheMorning = await WebConsole.open(server, { timezone: morningZone() });
    await inTheMorning.signIn({ remember: true });
    for (const [hours, sentence] of [
      [5, /^As of \d\d:\d\d/],
      [24, /^As of \w+,? \d+ \w+,? \d\d:\d\d/],
    ] as const) {
      const page = await inTheMorning.context.newPage();
      await page.clock.setFixedTime(Date.now() + hours * 3_600_000);
      await page.goto(`${console.url}/repositories/1/archives`);
      await page.getByText(sentence).waitFor();
      await page.close();
    }
    await inTheMorning.close();
  });

  test('429: counts down and reloads automatically', async () => {
    const page = await console.context.newPage();
    console.watch(page);
    let refused = 0;
    await page.route('**/api/jobs/1', async (route) => {
      refused += 1;
      if (refused > 1) return route.continue();
      const detail = 'You made 60 expensive calls within a minute. Wait 40 s.';
      const headers = { 'Retry-After': '40' };
      await route.fulfill({ status: 429, headers, json: { detail, code: 'expensive_calls_too_many' } });
    });
    await page.clock.install();
    await page.goto(`${console.url}/activity/1`);
    await page.getByText('Wait 40 s.', { exact: false }).waitFor();
    await page.getByText(/^Retrying in (40|3\d) s\.$/).waitFor();
    await page.clock.fastForward(20_000);
    await page.getByText(/^Retrying in (20|1\d) s\.$/).waitFor();
    await page.clock.fastForward(21_000);
    await page.getByText('Backup is done.').waitFor();
    expect(refused).toBe(2);
    await page.close();
  });

  test('offline: shows the bar, keeps data, and neither sends nor queues', async () => {
    const page = await console.visit('/repositories/1/settings');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('typed while offline');
    await console.context.setOffline(true);
    await page.getByText(offLine).waitFor({ timeout: 60_000 });
    const save = page.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByText('Unavailable until Holdfast responds.').first().waitFor();
    await name.press('Enter');
    await console.context.setOffline(false);
    await page.getByText(offLine).waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('typed while offline');
    expect((await api.get('/api/repositories/1')).body.repository.name).toBe('letters');
    await console.confirmed();
    await save.click();
    await save.waitFor({ state: 'detached' });
    expect((await api.get('/api/repositories/1')).body.repository.name).toBe('typed while offline');
  });

  test('killed: keeps the input of the wizard and continues with the new server', async () => {
    const page = await console.visit('/add');
    const folder = server.workspace.folder('photos');
    writeFileSync(join(folder, 'cat.jpg'), 'a cat');
    await page.getByRole('textbox').first().fill(folder);
    await page.getByRole('textbox').first().press('Enter');
    await page.getByText(folder).first().waitFor();
    await page.getByText(/^1 file/).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Back' }).waitFor();
    const first = await page.getByRole('heading', { level: 1 }).textContent();
    await server.stop('SIGKILL');
    await page.getByText(offLine).waitFor({ timeout: 60_000 });
    const field = page.getByRole('textbox').first();
    await field.fill('photos of a bad day');
    await server.launch();
    await page.getByText(offLine).waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(first);
    expect(await field.inputValue()).toBe('photos of a bad day');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText(folder).first().waitFor();
  });

  test('never violates the content security policy', () => {
    expect(console.violations).toEqual([]);
  });
});
