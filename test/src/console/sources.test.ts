import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { adminPassword, TestServer } from '../server.js';
import { accessibilityFindings } from './accessibility.js';
import { WebConsole } from './web-console.js';

describe('databases in the console', () => {
  let server: TestServer;
  let api: Api;
  let console: WebConsole;
  let database: string;
  let repository: string;

  const sql = (file: string, text: string) =>
    execFileSync('sqlite3', [file, text], { encoding: 'utf8' }).trim();

  beforeAll(async () => {
    server = await TestServer.start();
    api = await server.login();
    const folder = server.workspace.folder('home');
    writeFileSync(join(folder, 'ann.txt'), 'Dear Ann');
    database = join(folder, 'shop.db');
    sql(database, `CREATE TABLE customers (name); INSERT INTO customers VALUES ('Ann');`);
    repository = join(server.workspace.path, 'repository');
    await createRepository(api, { name: 'home', path: repository, source_directories: [folder] });
    console = await WebConsole.open(server);
    await (await console.signIn()).confirmed();
  });
  afterAll(async () => {
    await console.close();
    await server.remove();
  });

  test('are added in the settings of a repository, and checked there', async () => {
    const page = await console.visit('/repositories/1/settings');
    await page.getByRole('button', { name: 'Add database or container' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Kind').selectOption('sqlite');
    await dialog.getByLabel('Name').fill('shop');
    await dialog.getByLabel('Database files').fill(join(server.workspace.path, 'gone.db'));
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Failed' }).waitFor();
    await dialog.getByLabel('Database files').fill(database);
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('status').filter({ hasText: 'OK' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByLabel('Name').press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'shop' }).getByText('SQLite').waitFor();
    // Nothing is saved yet.
    expect((await api.get('/api/repositories/1')).body.repository.sources).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(async () => (await api.get('/api/repositories/1')).body.repository.sources)
      .toMatchObject([{ kind: 'sqlite', name: 'shop', settings: { files: database } }]);
  });

  test('are added together with the application that they belong to', async () => {
    const { page } = console;
    const one = { kind: 'container', name: 'wiki', container: null, settings: { volumes: 'wiki' } };
    const server = { kind: 'mysql', name: 'wiki-db', container: 'wiki-db-1', settings: {} };
    const candidates = [{ ...one, detail: 'Not stopped.', with: [server] }];
    await page.route('**/api/sources/find', (route) =>
      route.fulfill({ json: { success: true, candidates } }),
    );
    const sent: unknown[] = [];
    await page.route('**/api/source-sets', (route) => {
      if (route.request().method() === 'POST') sent.push(route.request().postDataJSON().sources);
      return route.continue();
    });
    await console.visit('/settings/source-sets/new');
    await page.getByLabel('Name').fill('Homes');
    await page.getByLabel('Or type a path').fill('/home');
    await page.getByLabel('Or type a path').press('Enter');
    await page.getByRole('button', { name: 'Add database or container' }).click();
    await page
      .getByLabel('Found on that host')
      .selectOption('wiki · Containers (Docker, Podman) · Not stopped.');
    await page.getByRole('dialog').getByText('wiki-db MariaDB, MySQL, wiki-db-1').waitFor();
    await page.getByRole('dialog').getByLabel('Name').press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'wiki-db-1' }).waitFor();
    await page.getByRole('button', { name: 'Edit: wiki', exact: true }).waitFor();
    // Enter in the dialog has not sent the form around it.
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/settings/source-sets/1');
    expect(sent).toEqual([[server, one]]);
    await page.unrouteAll();
  });

  test('appear in the job and in the archive of a backup', async () => {
    const job = await endedJob(api, await startBackup(api, repository));
    let page = await console.visit(`/activity/${job.id}`);
    await page
      .getByRole('listitem')
      .filter({ hasText: /shop.*SQLite.*Prepared in .* s, in use for .*Done/ })
      .waitFor();
    page = await console.visit('/repositories/1/archives');
    await page.getByRole('button', { name: /^Actions for the archive/ }).click();
    await page.getByRole('menuitem', { name: 'Details' }).click();
    await page.getByRole('definition').filter({ hasText: 'shop SQLite' }).waitFor();
  });

  async function openDump() {
    const { archives } = (await api.get('/api/archives/list?repository_id=1')).body;
    const page = await console.visit(
      `/repositories/1/browse/${archives.at(-1).name}/holdfast-sources/sqlite/shop`,
    );
    const read = page.getByRole('button', { name: 'Read it' });
    await read.or(page.getByRole('grid')).first().waitFor();
    if (await read.isVisible()) await read.click();
    await page
      .getByRole('grid')
      .getByRole('button', { name: /shop\.db/ })
      .first()
      .click();
    await page.getByRole('dialog', { name: database }).waitFor();
    await page.getByRole('button', { name: 'Restore database…' }).click();
    return page;
  }

  test('are restored as new ones, and over the old one after typing its name', async () => {
    sql(database, 'DELETE FROM customers');
    let page = await openDump();
    const fresh = database.replace('.db', '_restored.db');
    const dialog = page.getByRole('dialog', { name: 'Restore a database' });
    expect(await dialog.getByLabel('Path of the new file').inputValue()).toBe(fresh);
    await dialog.getByText('SQLite, this server').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Restore database' }).click();
    await page.getByText(`${database} was restored as ${fresh}.`).waitFor();
    expect(sql(fresh, 'SELECT name FROM customers')).toBe('Ann');
    expect(sql(database, 'SELECT count(*) FROM customers')).toBe('0');

    page = await openDump();
    await dialog.getByRole('checkbox', { name: 'Replace an existing database' }).check();
    const replace = dialog.getByRole('button', { name: 'Replace database' });
    expect(await replace.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${database} to confirm`).fill(database);
    await console.confirmed(false);
    await replace.click();
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('It replaced the existing database.').waitFor();
    expect(sql(database, 'SELECT name FROM customers')).toBe('Ann');
    expect(console.violations).toEqual([]);
  });
});
