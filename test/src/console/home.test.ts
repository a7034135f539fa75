import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { adminPassword, TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

/** The whole console is opened in the browser of HOLDFAST_CHROMIUM. */
describe('the first page of the console', () => {
  let server: TestServer;
  let api: Api;
  let paths: { source: string; repository: string };

  beforeAll(async () => {
    server = await TestServer.start();
    api = await server.login();
    const source = server.workspace.folder('source');
    writeFileSync(`${source}/letter.txt`, 'Dear Ann');
    paths = { source, repository: `${server.workspace.path}/repository` };
  });
  afterAll(async () => {
    await server.remove();
  });

  test('asks for credentials, explains errors, and counts down after too many attempts', async () => {
    const console = await WebConsole.open(server, { width: 390 });
    const { page } = console;
    await page.goto(`${console.url}/activity`);
    const signIn = page.getByRole('button', { name: 'Sign in' });
    await page.getByLabel('User name').fill('nobody-of-that-name');
    // Counted down for the eyes; a screen reader is told at the beginning and at the end.
    const counted = page
      .locator('form div')
      .filter({ hasText: /^Too many failed attempts. Try again in \d+ second/ })
      .last();
    for (let attempt = 0; attempt < 12; attempt += 1) {
      if (await counted.isVisible()) break;
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await signIn.click();
      await page.getByRole('alert').or(counted).first().waitFor();
    }
    await counted.waitFor();
    expect(await signIn.isDisabled()).toBe(true);
    await page.getByRole('status').filter({ hasText: 'You can try again now.' }).waitFor();
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('states in one sentence whether everything is protected, even without repositories', async () => {
    const console = await WebConsole.open(server, { width: 390 });
    await console.signIn();
    const { page } = console;
    await page.getByRole('heading', { level: 1, name: 'Nothing is protected yet.' }).waitFor();
    await page.getByRole('link', { name: 'Protect a folder' }).waitFor();

    const repository = await createRepository(api, {
      name: 'letters',
      path: paths.repository,
      source_directories: [paths.source],
      freshness_hours: 26,
    });
    await page.getByRole('heading', { level: 1, name: /is late|no archive yet|can’t confirm/ }).waitFor();
    await endedJob(api, await startBackup(api, paths.repository));
    await page.getByRole('heading', { level: 1, name: /^Your repository is protected/ }).waitFor();
    await page.getByRole('link', { name: /letters, Protected, newest archive just now/ }).waitFor();

    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await api.put('/api/schedule/pause', { pause_until: tomorrow })).status).toBe(200);
    await page.reload();
    await page.getByText(/^Schedules are paused until /).waitFor();
    expect((await api.put('/api/schedule/pause', { pause_until: null })).status).toBe(200);
    await page.getByText(/^Schedules are paused until /).waitFor({ state: 'detached' });

    // A failed run is no alarm while the promise holds.
    const hook = { pre_backup_script: 'exit 3' };
    expect((await api.put(`/api/repositories/${repository.id}`, hook)).status).toBe(200);
    const failed = await endedJob(api, await startBackup(api, paths.repository));
    expect(failed.status).toBe('failed');
    await page.goto(`${console.url}/activity`);
    await page.getByRole('link', { name: /Backup of letters, Failed/ }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { level: 1, name: /^Your repository is protected/ }).waitFor();
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('shows nothing green 30 s after a kill and recovers automatically', async () => {
    const console = await WebConsole.open(server);
    await console.signIn({ remember: true });
    const { page } = console;
    await page.getByRole('heading', { level: 1, name: /^Your repository is protected/ }).waitFor();
    await page.locator('html:not([data-outdated])').waitFor({ state: 'attached' });
    const green = () => page.locator('h1 svg').evaluate((mark) => getComputedStyle(mark).color);
    const protectedColour = await green();
    await server.stop('SIGKILL');
    await page.getByText(/^Not connected to Holdfast since/).waitFor({ timeout: 60_000 });
    await expect.poll(green).not.toBe(protectedColour);
    // What was read stays on the page, with its time.
    await page.getByRole('heading', { level: 1, name: /^As of .*: Your repository is protected/ }).waitFor();

    await server.launch();
    await page.getByText(/^Not connected to Holdfast since/).waitFor({ state: 'detached', timeout: 60_000 });
    await expect.poll(green).toBe(protectedColour);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('shows the sign-in over the page when its session ends, then continues', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const page = await console.visit('/activity?kind=backup');
    await page.getByRole('link', { name: 'Settings' }).focus();
    // With the password, all other sessions of the user end.
    await api.request('POST', '/api/auth/change-password', {
      json: { current_password: adminPassword, new_password: `${adminPassword}!` },
    });
    await page.getByRole('heading', { name: 'Sign in to Holdfast' }).waitFor({ timeout: 60_000 });
    await page.getByText('Your session has ended.', { exact: false }).waitFor();
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(`${adminPassword}!`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    expect(page.url()).toContain('kind=backup');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Settings');
    expect(console.violations).toEqual([]);
    await console.close();
  });
});
