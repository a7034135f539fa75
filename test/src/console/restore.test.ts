import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { adminPassword, TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

describe('restores in the console', () => {
  let server: TestServer;
  let api: Api;
  let source: string;

  beforeAll(async () => {
    server = await TestServer.start();
    api = await server.login();
    source = server.workspace.folder('home', 'letters');
    for (const name of ['ann.txt', 'ben.txt']) writeFileSync(join(source, name), `Dear ${name}`);
    const path = join(server.workspace.path, 'repository');
    await createRepository(api, { name: 'letters', path, source_directories: [source] });
    for (let count = 0; count < 2; count += 1) await endedJob(api, await startBackup(api, path));
  });
  afterAll(async () => {
    await server.remove();
  });

  test('bring a lost file back in at most six taps, on a phone', async () => {
    const console = await WebConsole.open(server, { width: 390 });
    await console.signIn();
    const { page } = console;
    let taps = 0;
    const tap = async (what: Locator) => {
      taps += 1;
      await what.tap();
    };
    await tap(page.getByRole('link', { name: 'Restore files' }));
    await tap(page.getByLabel('Part of its name'));
    await page.keyboard.type('ann');
    await tap(page.getByRole('button', { name: 'Search', exact: true }));
    const notYet = page.getByRole('button', { name: /^Search (it|them)/ });
    const found = page.getByRole('button', { name: 'Download ann.txt' });
    await notYet.or(found).first().waitFor();
    if (await notYet.isVisible()) await tap(notYet);
    await found.waitFor();
    const download = page.waitForEvent('download');
    await tap(found);
    expect(readFileSync(await (await download).path(), 'utf8')).toBe('Dear ann.txt');
    expect(taps).toBeLessThanOrEqual(6);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('use a new folder by default and report the result', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const { archives } = (await api.get('/api/archives/list?repository_id=1')).body;
    const target = server.workspace.folder('restored');
    const page = await console.visit(
      `/restore?repository=1&archive=${archives[0].name}&path=${source.slice(1)}`,
    );
    await page.getByRole('radio', { name: 'A new folder' }).check();
    await page.getByRole('textbox', { name: 'Folder', exact: true }).fill(join(target, 'here'));
    await page.getByRole('button', { name: 'Preview the restore' }).click();
    await page.getByRole('button', { name: /^Restore 2 files to/ }).click();
    await page.getByText('Everything that you selected is in place.').waitFor();

    // The same paths at another date, to another new folder beside that one.
    await page.getByRole('link', { name: 'The same from another date' }).click();
    const date = page.getByLabel('As of');
    const first = await date.inputValue();
    await date.selectOption({ index: first === archives.at(-1).name ? 1 : 0 });
    await expect.poll(() => new URL(page.url()).searchParams.get('archive')).not.toBe(first);
    expect(new URL(page.url()).searchParams.get('path')).toBe(source.slice(1));
    await page.getByRole('radio', { name: 'A new folder' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Folder', exact: true }).inputValue()).toContain(
      `${target}/letters-`,
    );
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('show the expiry of a plan and create a new one afterwards', async () => {
    const console = await WebConsole.open(server);
    await console.page.clock.install();
    await console.signIn();
    const { archives } = (await api.get('/api/archives/list?repository_id=1')).body;
    const page = await console.visit(`/restore?repository=1&archive=${archives[0].name}&path=`);
    await page.getByRole('radio', { name: 'A new folder' }).check();
    await page.getByRole('button', { name: 'Preview the restore' }).click();
    await page.getByText(/^This plan is valid until \d\d:\d\d\.$/).waitFor();
    await page.clock.fastForward(61 * 60_000);
    await page.getByText('This plan has expired.').waitFor();
    expect(await page.getByRole('button', { name: /^Restore 2 files/ }).count()).toBe(0);
    await page.clock.setSystemTime(Date.now());
    await page.getByRole('button', { name: 'Make a new plan' }).click();
    await page.getByText('Nothing has changed.').waitFor();
    await page.getByRole('button', { name: /^Restore 2 files/ }).waitFor();
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('replace files only after their number was typed, and report later changes', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const { archives } = (await api.get('/api/archives/list?repository_id=1')).body;
    writeFileSync(join(source, 'ann.txt'), 'Dear somebody else');
    const page = await console.visit(
      `/restore?repository=1&archive=${archives[0].name}&path=${source.slice(1)}`,
    );
    await page.getByRole('radio', { name: 'Original location' }).check();
    await page.getByRole('button', { name: 'Preview the restore' }).click();
    await page.getByText('Keep or replace existing files: choose below.').waitFor();
    await page.getByRole('button', { name: 'Replace those' }).click();
    const replace = page.getByRole('button', { name: 'Replace 2 files' });
    await replace.waitFor();
    expect(await replace.isDisabled()).toBe(true);
    const count = page.getByRole('textbox', { name: /Type the number of files to be replaced/ });
    await count.fill('2');
    // Meanwhile somebody writes to one of them: the plan does not hold any more.
    writeFileSync(join(source, 'ben.txt'), 'Dear newcomer');
    await replace.click();
    await page.getByText('This is a new plan', { exact: false }).waitFor();
    expect(readFileSync(join(source, 'ben.txt'), 'utf8')).toBe('Dear newcomer');
    await count.fill('2');
    await replace.click();
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Everything that you selected is in place.').waitFor();
    expect(readFileSync(join(source, 'ann.txt'), 'utf8')).toBe('Dear ann.txt');
    expect(console.violations).toEqual([]);
    await console.close();
  });
});
