import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { HeldSource, onlyFrom } from '../held-source.js';
import { adminPassword, TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

const ben = { username: 'ben', password: 'a password of ben' };
const cara = { username: 'cara', password: 'a password of cara' };
const forAdmins = [
  '/add',
  '/schedules/new',
  '/schedules/1/edit',
  '/repositories/1/settings',
  '/settings/audit',
  '/settings/hosts/new',
  '/settings/hosts/key',
  '/settings/scripts/new',
  '/settings/source-sets/new',
  '/settings/notifications/new',
];
const forAll = [
  '/repositories/1',
  '/repositories/1/archives',
  '/repositories/1/maintenance',
  '/restore?repository=1',
  '/schedules/1',
  '/activity/1',
  '/settings',
  '/settings/notifications',
  '/settings/incidents',
  '/settings/hosts',
  '/settings/source-sets',
  '/settings/scripts',
  '/settings/people',
  '/settings/system',
];

describe('refusals of the server in the console', () => {
  let server: TestServer;
  let api: Api;
  let console: WebConsole;
  let held: HeldSource;
  let path: string;

  beforeAll(async () => {
    server = await TestServer.start();
    api = await server.login();
    const source = server.workspace.folder('letters');
    writeFileSync(join(source, 'ann.txt'), 'Dear Ann');
    held = new HeldSource(server.workspace.folder('held'));
    path = join(server.workspace.path, 'repository');
    await createRepository(api, { name: 'letters', path, ...onlyFrom(source) });
    await endedJob(api, await startBackup(api, path));
    const cron_expression = '0 2 * * *';
    await api.post('/api/schedule/', { name: 'nightly', cron_expression, repository_ids: [1] });
    for (const person of [ben, cara])
      await api.post('/api/auth/users', { ...person, is_admin: person === cara });
    console = await WebConsole.open(server);
    await (await console.signIn()).confirmed();
  });
  afterAll(async () => {
    await console.close();
    await server.remove();
  });

  test('401: keeps a filled form across the sign-in and a required new password', async () => {
    const other = await WebConsole.open(server);
    await other.signIn(cara);
    const page = await other.visit('/schedules/new');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('weekly');
    const { body: users } = await api.get('/api/auth/users');
    const { id } = users.find(({ username }: { username: string }) => username === 'cara');
    const revoke = async () => {
      const reset = await api.post(`/api/settings/users/${id}/reset-password`, {
        new_password: 'given to her',
      });
      expect(reset.status).toBe(200);
      await page.getByText('Your session has ended.', { exact: false }).waitFor();
    };
    const signIn = async (username: string, password: string) => {
      await page.getByLabel('User name').fill(username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await revoke();
    await signIn('cara', 'given to her');
    await page.getByLabel('Current password', { exact: true }).fill('given to her');
    await page.getByLabel('New password', { exact: true }).fill('a new password of cara');
    const change = page.getByRole('button', { name: 'Change password' });
    await change.click();
    await change.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('weekly');

    // Somebody else sits down there: they find nothing of it.
    await revoke();
    await signIn(ben.username, ben.password);
    await page.getByText('You are signed in as ben.').waitFor();
    expect(await page.locator('input').count()).toBe(0);
    expect(other.violations).toEqual([]);
    await other.close();
  });

  test('403: explains missing rights and sends no forbidden requests', async () => {
    const other = await WebConsole.open(server);
    await other.signIn(ben);
    for (const address of forAdmins) {
      const page = await other.visit(address);
      await page.getByRole('heading', { level: 1, name: 'Only administrators can do this.' }).waitFor();
      await page.getByText('You are signed in as ben.').waitFor();
    }
    const refused: string[] = [];
    other.page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(answer.url());
    });
    for (const address of forAll) {
      const page = await other.visit(address);
      expect(await page.locator('main [role=alert]').allTextContents()).toEqual([]);
    }
    expect(refused).toEqual([]);
    expect(other.violations).toEqual([]);
    await other.close();
  });

  test('404: names the object and how long such objects are kept', async () => {
    for (const [address, words] of [
      ['/activity/14', /^Job 14 no longer exists\. Finished jobs are kept for a year/],
      ['/activity/none', /^The address may be wrong/],
      ['/repositories/14', /^This repository is not in Holdfast/],
      ['/repositories/1/browse/gone/', /no longer exists/],
      ['/schedules/14', /^This schedule no longer exists/],
      ['/settings/scripts/14', /^It no longer exists/],
      ['/restore?job=14', /^This restore no longer exists/],
    ] as const) {
      const page = await console.visit(address);
      await page.getByText(words).first().waitFor();
    }
  });

  test('400: shows a summary, an error per field, and focuses the first', async () => {
    const page = await console.visit('/settings/scripts/new');
    await page.getByLabel('Name', { exact: true }).fill('slow');
    const seconds = page.getByRole('spinbutton').first();
    await seconds.evaluate((field) => field.removeAttribute('max'));
    await seconds.fill('999999');
    await page.getByRole('button', { name: 'Save' }).click();
    const summary = page.getByRole('alert').filter({ hasText: 'must be from 1 to 86400 seconds' });
    await summary.waitFor();
    expect(await seconds.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(
      await seconds.evaluate((field) => document.getElementById(`${field.id}-error`)?.textContent),
    ).toMatch(/86400/);
    const [above, below] = [await summary.boundingBox(), await seconds.boundingBox()];
    expect(above?.y).toBeLessThan(below?.y ?? 0);

    // One that is folded up opens.
    await console.visit('/repositories/1/settings');
    const fold = page.getByText('Show its own scripts, flags and locks');
    await fold.click();
    const flags = page.getByLabel('Additional flags for borg create');
    await flags.fill('--rsh=evil');
    await fold.click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'would run another program' }).waitFor();
    expect(await flags.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test('412: shows both values of each conflicting field and saves the chosen one', async () => {
    const page = await console.visit('/schedules/1/edit');
    await page.getByLabel('Name', { exact: true }).fill('mine');
    await page.getByLabel('Description', { exact: false }).fill('of me');
    const theirs = { name: 'theirs', catch_up: 'none', description: 'of them' };
    expect((await api.put('/api/schedule/1', theirs)).status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another user changed this in the meantime.').waitFor();
    await page.getByRole('radio', { name: 'Use yours: mine' }).check();
    await page.getByRole('radio', { name: 'Use theirs: of them' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'mine' }).waitFor();
    const { job } = (await api.get('/api/schedule/1')).body;
    expect(job).toMatchObject({ name: 'mine', catch_up: 'none', description: 'of them' });

    // Two people, two fields: there is nothing to choose.
    await console.visit('/repositories/1/settings');
    await page.getByLabel('Name', { exact: true }).fill('my letters');
    expect((await api.put('/api/repositories/1', { freshness_hours: 99 })).status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    const { repository } = (await api.get('/api/repositories/1')).body;
    expect(repository).toMatchObject({ name: 'my letters', freshness_hours: 99 });
  });

  test('409: names the obstacle with a link, and why a job waits', async () => {
    await api.put('/api/repositories/1', held.settings);
    const job = await startBackup(api, path);
    await held.reached();
    const waiting = await startBackup(api, path);
    const page = await console.visit(`/activity/${waiting}`);
    await page.getByText(`Waiting for backup job ${job} of repository`, { exact: false }).waitFor();
    await page.getByRole('link', { name: `Open job ${job}` }).click();
    await page.getByText('You can close this page; the job continues.').waitFor();

    await console.confirmed(false);
    await console.visit('/repositories/1/settings');
    await page.getByRole('button', { name: 'Remove from Holdfast' }).click();
    const dialog = page.getByRole('dialog');
    const name = (await api.get('/api/repositories/1')).body.repository.name;
    await dialog.getByRole('textbox').fill(name);
    await dialog.getByRole('button', { name: 'Remove from Holdfast' }).click();
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText(`The backup job ${job} of this repository is running`, { exact: false }).waitFor();
    await dialog.getByRole('link', { name: `Open job ${job}` }).click();
    await page.getByText('You can close this page; the job continues.').waitFor();
    await held.release();
    await endedJob(api, job);
    await held.release();
    await endedJob(api, waiting);
    await page.getByText('Backup is done.').waitFor();
  });

  test('never violates the content security policy', () => {
    expect(console.violations).toEqual([]);
  });
});
