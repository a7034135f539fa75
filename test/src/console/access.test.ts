import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archived, archivesOf, createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

const password = 'a password of ann';

describe('limited users in the console', () => {
  let server: TestServer;
  let api: Api;

  beforeAll(async () => {
    server = await TestServer.start();
    api = await server.login();
    const source = server.workspace.folder('source');
    writeFileSync(join(source, 'dear-ben.txt'), 'Dear Ben');
    for (const [name, tags] of [
      ['letters', []],
      ['photos', ['family']],
      ['payroll', []],
      ['music', []],
    ] as const) {
      const path = join(server.workspace.path, name);
      await createRepository(api, { name, path, tags, source_directories: [source] });
      await endedJob(api, await startBackup(api, path));
    }
    for (const [name, repository_ids] of [
      ['nightly', [1, 2, 3, 4]],
      ['pay day', [3]],
      ['pictures', [2]],
    ] as const) {
      const made = await api.post('/api/schedule/', {
        name,
        cron_expression: '0 2 * * *',
        repository_ids,
      });
      expect(made.status, made.text).toBe(201);
    }
  });
  afterAll(async () => {
    await server.remove();
  });

  async function signIn(options: Parameters<typeof WebConsole.open>[1], user?: { username: string }) {
    const console = await WebConsole.open(server, options);
    await console.signIn({ ...user, ...(user && { password }) });
    const refused: string[] = [];
    console.page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
    });
    return { console, page: console.page, refused };
  }

  async function grant(page: Page, name: string, right: string) {
    await page.getByLabel('Repository or tag').selectOption({ label: name });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel(`Right on ${name}`).selectOption({ label: right });
  }

  test('keeps grants in the dialog when the role changes', async () => {
    const { console, page } = await signIn({ width: 390 });
    await console.confirmed();
    await console.visit('/settings/people');
    await page.getByRole('button', { name: 'Add a user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill('ann');
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByLabel('Role').selectOption('limited');
    await grant(page, 'letters', 'Restore');
    await grant(page, 'Tag family', 'Operate');
    await grant(page, 'payroll', 'See');
    await grant(page, 'music', 'See');
    await dialog.getByRole('button', { name: 'Remove: payroll' }).click();
    await dialog.getByLabel('Folders to restore into').fill(server.workspace.folder('restored'));
    await dialog.getByLabel('Role').selectOption('user');
    expect(await dialog.getByLabel('Right on letters').count()).toBe(0);
    await dialog.getByLabel('Role').selectOption('limited');
    expect(await dialog.getByLabel('Right on letters').inputValue()).toBe('restore');
    for (const control of await dialog.locator('ul select, ul button').all())
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await dialog.getByRole('button', { name: 'Add a user' }).click();
    await page.getByText('letters: Restore, Tag family: Operate, music: See').waitFor();
    const users = (await api.get('/api/auth/users')).body as { username: string }[];
    expect(users.find(({ username }) => username === 'ann')).toMatchObject({
      role: 'limited',
      grants: [
        { repository_id: 1, right: 'restore' },
        { tag: 'family', right: 'operate' },
        { repository_id: 4, right: 'see' },
      ],
      restore_paths: [join(server.workspace.path, 'restored')],
    });
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('shows only granted repositories and sends no refused request', async () => {
    const { console, page, refused } = await signIn({ width: 390 }, { username: 'ann' });
    const jobs = (await api.get('/api/jobs')).body.jobs as { id: number; repository_id: number }[];
    const jobOf = (id: number) => jobs.find((job) => job.repository_id === id)?.id;
    const ofRepositories = [1, 2, 4].flatMap((id) => [
      `/repositories/${id}`,
      `/repositories/${id}/archives`,
      `/repositories/${id}/maintenance`,
      `/activity/${jobOf(id)}`,
    ]);
    const addresses = ['/', '/repositories', '/schedules', '/schedules/1', '/activity', '/restore'];
    const settings = ['/settings', '/settings/incidents', '/settings/people', '/settings/hosts', '/add'];
    for (const address of [...addresses, ...ofRepositories, '/repositories/1/drills', ...settings]) {
      await console.visit(address);
      // Parts below are read when they come into view.
      await page.locator('footer').scrollIntoViewIfNeeded();
      await console.settled();
      const text = (await page.locator('body').textContent()) ?? '';
      expect(text, address).not.toMatch(/payroll|pay day/);
      expect(await page.locator('main [role=alert]').allTextContents(), address).toEqual([]);
      expect(refused, address).toEqual([]);
    }
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('browses, restores and runs only with the right for it', async () => {
    const { console, page, refused } = await signIn({ width: 390 }, { username: 'ann' });
    const archiveIn = async (name: string) =>
      (await archivesOf(api, join(server.workspace.path, name)))[0]?.name ?? '';
    await console.visit('/repositories/1');
    const backUp = page.getByRole('button', { name: /^Back up now/ });
    await page.getByRole('link', { name: 'Drills' }).waitFor();
    expect(await backUp.count()).toBe(0);
    await console.visit('/repositories/2');
    await backUp.waitFor();
    await console.visit('/repositories/4/archives');
    await page.getByText(await archiveIn('music')).waitFor();
    expect(await page.locator('main [role=row] a').count()).toBe(0);
    await console.visit(`/activity/4`);
    expect(await page.getByRole('heading', { name: 'Log' }).count()).toBe(0);
    await console.visit('/schedules');
    expect(await page.getByRole('button', { name: /^Run now/ }).allTextContents()).toEqual(['Run now']);
    await page.keyboard.press('Control+k');
    const offered = (await page.getByRole('option').allTextContents()).join();
    expect(offered).toContain('photosBack up');
    expect(offered).not.toMatch(/payroll|musicBack up|Hosts|Scripts|Notifications|System/);

    const inside = archived(server.workspace.folder('source'));
    await console.visit(`/repositories/2/browse/${await archiveIn('photos')}/${inside}`);
    const row = page.getByRole('checkbox', { name: /^Select dear-ben/ });
    const readIt = page.getByRole('button', { name: 'Read it' });
    await readIt.or(row).first().waitFor();
    if (await readIt.isVisible()) await readIt.click();
    await row.check();
    await page.getByRole('button', { name: 'Restore…' }).click();
    await page.getByRole('radio', { name: /folder/ }).check();
    expect(await page.getByRole('radio').count()).toBe(4);
    await page.getByRole('button', { name: 'Preview the restore' }).click();
    await page.getByRole('button', { name: /^Restore 1 file/ }).click();
    await page.getByText('Everything that you selected is in place.').waitFor();
    expect(refused).toEqual([]);

    await console.visit(`/repositories/1/browse/${await archiveIn('letters')}/${inside}`);
    await readIt.or(row).first().waitFor();
    if (await readIt.isVisible()) await readIt.click();
    const download = page.waitForEvent('download');
    await row.check();
    expect(await page.getByRole('button', { name: 'Restore…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toBe('Dear Ben');
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('creates a narrowed token', async () => {
    const { console, page } = await signIn({ width: 1440, theme: 'dark' }, { username: 'ann' });
    await console.confirmed();
    await console.visit('/settings/people');
    await page.getByRole('button', { name: 'Create a token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What is it for?').fill('photo frame');
    await dialog.getByLabel('Only some repositories').check();
    const create = dialog.getByRole('button', { name: 'Create a token' });
    expect(await create.isDisabled()).toBe(true);
    await grant(page, 'photos', 'See');
    await create.click();
    const token = await dialog.locator('pre').textContent();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('photos: See').waitFor();
    const seen = await api.as(token ?? '').get('/api/repositories/');
    expect(seen.body.repositories.map(({ name }: { name: string }) => name)).toEqual(['photos']);
    await console.close();
  });

  test('changes one right of a user in the dialog', async () => {
    const { console, page } = await signIn({ width: 1440 });
    await console.confirmed();
    await console.visit('/settings/people');
    await page.getByRole('button', { name: 'More for ann' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Right on letters').selectOption('operate');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('letters: Operate, Tag family: Operate, music: See').waitFor();
    expect(console.violations).toEqual([]);
    await console.close();
  });
});
