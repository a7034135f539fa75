import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archived, backUp, createRepository, passphrase } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

describe('commands of the console', () => {
  let server: TestServer;
  let api: Api;
  let console: WebConsole;
  const name = `O'Neill's $HOME "letters"`;

  beforeAll(async () => {
    server = await TestServer.start();
    api = await server.login();
    const source = server.workspace.folder(`it's here`);
    writeFileSync(join(source, 'ann.txt'), 'Dear Ann');
    const path = join(server.workspace.path, `o'neill`);
    await createRepository(api, { name, path, source_directories: [source] });
    await backUp(api, path);
    console = await WebConsole.open(server);
    await (await console.signIn()).confirmed();
  });
  afterAll(async () => {
    await console.close();
    await server.remove();
  });

  /** Runs what a person has copied, as they would. */
  const run = (command: string, env: Record<string, string>, cwd = server.workspace.path) =>
    execFileSync('bash', ['-c', command], {
      encoding: 'utf8',
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: server.workspace.folder('home'), ...env },
    });
  /** What a person would paste somewhere else. */
  const copied = async () => {
    const elsewhere = await console.context.newPage();
    await elsewhere.setContent('<textarea></textarea>');
    await elsewhere.locator('textarea').press('Control+V');
    const text = await elsewhere.locator('textarea').inputValue();
    await elsewhere.close();
    return text;
  };

  test('creates a schedule again by its command, but not without a token', async () => {
    const page = await console.visit('/schedules/new');
    await page.getByLabel('Name', { exact: true }).fill(`every night, it's "late"`);
    await page.getByLabel('Add a repository').selectOption('1');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    // What the retention does with the archive of the backup by hand, before and after the schedule is saved.
    await page.getByText('The existing archive is kept. A new schedule does not prune it').waitFor();
    // How many runs, days, weeks and months they are depends on the instant.
    await page.getByText(/^After 400 days, 1[6-9] of (399|400) archives are left/).waitFor();
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByRole('heading', { level: 1, name: 'every night' }).waitFor();
    const edit = await console.tab(`${new URL(page.url()).pathname}/edit`);
    await edit.getByText('These rules apply to no archive yet.').waitFor();
    await edit.close();
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitem', { name: 'Show as curl' }).click();
    await page.getByRole('button', { name: 'Copy: POST /api/schedule/', exact: true }).click();
    const command = await copied();
    expect(command).toContain('"Authorization: Bearer $HOLDFAST_TOKEN"');
    expect(command).not.toMatch(/Idempotency|eyJ/);
    const changed = command.replace('every night', 'every other night');
    expect(run(changed, { HOLDFAST_TOKEN: 'none' })).toContain('detail');
    const made = JSON.parse(run(changed, { HOLDFAST_TOKEN: api.token ?? '' }));
    const { jobs } = (await api.get('/api/schedule/')).body;
    expect(jobs.map((job: { name: string }) => job.name).toSorted()).toEqual([
      `every night, it's "late"`,
      `every other night, it's "late"`,
    ]);
    expect(made.job.cron_expression).toBe(jobs[0].cron_expression);
    await page.keyboard.press('Escape');
  });

  test('contain no secret and are found by the search', async () => {
    const page = await console.visit('/settings/people');
    await page.getByRole('button', { name: 'Add a user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill('dora');
    await dialog
      .getByLabel(/password/i)
      .first()
      .fill('a secret of dora');
    await dialog.locator('button[type=submit]').click();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('curl');
    await page.getByRole('option', { name: 'Show as curl' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy: POST /api/auth/users' }).click();
    expect(await copied()).toContain(`"password":"'"$PASSWORD"'"`);
    expect(await page.getByRole('dialog').textContent()).not.toContain('a secret of dora');
    await page.keyboard.press('Escape');
  });

  test('restore the files of an archive with plain borg alone', async () => {
    const page = await console.visit('/repositories/1/archives');
    await page.getByRole('button', { name: /^Actions for the archive/ }).click();
    await page.getByRole('menuitem', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Copy: borg extract' }).click();
    const command = await copied();
    await server.stop();
    const target = server.workspace.folder('back');
    run(command, { BORG_PASSPHRASE: passphrase, BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes' }, target);
    const file = archived(join(server.workspace.path, `it's here`, 'ann.txt'));
    expect(readFileSync(join(target, file), 'utf8')).toBe('Dear Ann');
    expect(console.violations).toEqual([]);
  });
});
