import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { Keyboard } from './keyboard.js';
import { WebConsole } from './web-console.js';

describe('protecting a folder in the console', () => {
  let server: TestServer;
  let api: Api;

  beforeAll(async () => {
    server = await TestServer.start();
    api = await server.login();
  });
  afterAll(async () => {
    await server.remove();
  });

  test('requires the passphrase to be saved again after a reload', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const source = server.workspace.folder('letters');
    writeFileSync(join(source, 'ann.txt'), 'Dear Ann');
    const page = await console.visit('/add');
    const next = page.getByRole('button', { name: 'Next' });
    await page.getByLabel('Type a path').fill(source);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await next.click();
    await page.getByLabel('Folder for backups').fill(server.workspace.folder('places'));
    await next.click();
    const proposal = page.getByRole('group', { name: 'Suggested passphrase' });
    await expect.poll(() => proposal.textContent()).toMatch(/^\w+( \w+){5}$/);
    const drawn = (await proposal.textContent()) ?? '';
    expect(await saveSheet(page)).toContain(drawn);
    const isElsewhere = page.getByRole('checkbox', { name: 'I keep the passphrase somewhere else' });
    expect(await isElsewhere.isChecked()).toBe(false);

    await page.reload();
    await page.getByText('The page was reloaded', { exact: false }).waitFor();
    await page.getByLabel('Your passphrase', { exact: true }).fill(`${drawn}s`);
    const again = page.getByLabel('Repeat your passphrase', { exact: true });
    await again.fill(drawn);
    // At once, or what is typed next would go into another field than the person chose.
    const hasFocus = again.evaluate(
      (field) =>
        new Promise((resolve) => {
          const look = () => setTimeout(() => resolve(field === document.activeElement));
          addEventListener('submit', look, { once: true });
        }),
    );
    await next.click();
    expect(await hasFocus).toBe(true);
    await page.getByText('The passphrases don’t match.').waitFor();
    await page.getByText('Download or print the sheet first', { exact: false }).waitFor();
    await page.getByLabel('Your passphrase', { exact: true }).fill(drawn);
    expect(await saveSheet(page)).toContain(drawn);
    await next.click();
    await page.getByRole('heading', { level: 1, name: 'When, and for how long?' }).waitFor();

    // The sheet names the place: with another one it has to be saved again.
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByLabel('Name').fill('letters at home');
    await next.click();
    await next.click();
    await page.getByText('Download or print the sheet first', { exact: false }).waitFor();
    expect(await saveSheet(page)).toContain('letters-at-home');
    await next.click();
    await page.getByRole('heading', { level: 1, name: 'When, and for how long?' }).waitFor();
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('keeps typed text while a response is pending, and names the channel', async () => {
    await api.post('/api/notifications', { name: 'on call', service_url: 'json://127.0.0.1:9' });
    const console = await WebConsole.open(server);
    await console.signIn();
    const source = server.workspace.folder('songs');
    writeFileSync(join(source, 'one.txt'), 'la');
    const page = await console.visit('/add');
    const next = page.getByRole('button', { name: 'Next' });
    await page.getByLabel('Type a path').fill(source);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await next.click();
    const listed = new Promise<Route>((resolve) => void page.route('**/api/filesystem/browse?*', resolve));
    await page.getByRole('button', { name: 'Choose folder' }).click();
    const listing = await listed;
    const typed = page.getByRole('dialog').getByLabel('Folder', { exact: true });
    await typed.fill('/typed meanwhile');
    await listing.continue();
    await page.getByText('Now in ').waitFor({ state: 'attached' });
    expect(await typed.inputValue()).toBe('/typed meanwhile');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Folder for backups').fill(server.workspace.folder('places'));
    const asked = new Promise<Route>((resolve) => void page.route('**/words-*.txt', resolve));
    await next.click();
    const words = await asked;
    await page.getByRole('button', { name: 'Use my own' }).click();
    await page.getByLabel('Your passphrase', { exact: true }).fill('a passphrase of mine');
    const late = page.waitForResponse('**/words-*.txt');
    await words.continue();
    await (await late).finished();
    await page.getByLabel('Repeat your passphrase', { exact: true }).fill('a passphrase of mine');
    await page.getByRole('checkbox', { name: 'I keep the passphrase somewhere else' }).check();
    await next.click();
    await page.getByRole('heading', { level: 1, name: 'When, and for how long?' }).waitFor();
    await next.click();
    await page.getByText('Messages already go to on call.', { exact: false }).waitFor();
    await next.click();
    await page.getByRole('heading', { level: 1, name: 'Is this right?' }).waitFor();
    const messages = page.getByRole('definition').filter({ hasText: 'on call' });
    await messages.waitFor();
    expect(await page.getByText('none', { exact: true }).count()).toBe(0);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('recommends a safe disk by tiles, and plans a check and a drill', async () => {
    const source = server.workspace.folder('poems');
    writeFileSync(join(source, 'one.txt'), 'Roses are red');
    const second = server.workspace.folder('second');
    const host = { id: 7, name: 'Cellar', username: 'ann', host: 'nas', status: 'failed', storage: null };
    const console = await WebConsole.open(server, { width: 390 });
    await console.signIn();
    const { page } = console;
    await page.route('**/api/filesystem/disks', (route) =>
      route.fulfill({ json: { success: true, disks: [disk('/', 'sda', 9e9), disk(second, 'sdb', 8e9)] } }),
    );
    await page.route('**/api/ssh-keys/connections', (route) =>
      route.fulfill({ json: { success: true, connections: [host] } }),
    );
    await console.visit('/add');
    const keyboard = new Keyboard(page);
    const next = page.getByRole('button', { name: 'Next' });
    await keyboard.type(page.getByRole('textbox', { name: 'Type a path' }), source);
    await keyboard.press('Enter');
    await page.getByText('1 file', { exact: false }).waitFor();
    await keyboard.enter(next);
    await keyboard.arrives('Where do the backups go?');
    const tiles = page.getByRole('radio');
    await expect.poll(() => tiles.count()).toBe(3);
    const described = (at: number) =>
      tiles.nth(at).evaluate((input) => {
        const { id } = input;
        const hint = document.getElementById(`${id}-hint`);
        return `${(input as HTMLInputElement).labels?.[0]?.textContent} ${hint?.textContent}`;
      });
    expect(await described(0)).toMatch(/second.*Disk of this server.*8 GB of 10 GB free.*Recommended/);
    expect(await described(1)).toMatch(
      /9 GB of 10 GB free.*Same disk as .*poems: if it fails, both are lost/,
    );
    expect(await described(2)).toMatch(/Cellar \(ann@nas\).*Not reachable/);
    // One stop of the Tab key; the arrows choose.
    const place = page.getByRole('textbox', { name: 'Folder for backups' });
    await keyboard.reach(tiles.nth(0));
    await keyboard.press('ArrowDown');
    expect(await tiles.nth(1).isChecked()).toBe(true);
    expect(await place.inputValue()).toBe('/backups');
    await keyboard.press('ArrowUp');
    expect(await place.inputValue()).toBe(join(second, 'backups'));
    await keyboard.press('Tab');
    await keyboard.isAt(page.getByRole('link', { name: 'Any machine with SSH' }));
    const sizes = await page
      .locator('fieldset > div, a[href*=recipe]')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
    await page.getByRole('link', { name: 'Hetzner Storage Box' }).click();
    await expect
      .poll(() => page.getByRole('radio', { name: 'I paste the key myself' }).isChecked())
      .toBe(true);
    await page.goBack();
    // A typed folder chooses the tile that it is on.
    await place.fill('/srv');
    expect(await tiles.nth(1).isChecked()).toBe(true);
    await keyboard.reach(tiles.nth(1), { back: true });
    await keyboard.press('ArrowUp');
    await keyboard.enter(next);
    await keyboard.arrives('A passphrase for the backups');
    await page.getByRole('button', { name: 'Use my own' }).click();
    await page.getByLabel('Your passphrase', { exact: true }).fill('a passphrase of mine');
    await page.getByLabel('Repeat your passphrase', { exact: true }).fill('a passphrase of mine');
    await page.getByRole('checkbox', { name: 'I keep the passphrase somewhere else' }).check();
    await next.click();
    await keyboard.arrives('When, and for how long?');
    for (const name of [/^Check the repository/, /^Run a restore drill/])
      expect(await page.getByRole('checkbox', { name }).isChecked()).toBe(true);
    await next.click();
    await page.getByRole('button', { name: 'Skip' }).or(next).first().click();
    await keyboard.arrives('Is this right?');
    await page.getByText(/; checked each Sunday; a restore drill each month\.$/).waitFor();
    await page.getByRole('button', { name: 'Create and back up now' }).click();
    await page.waitForURL(/activity/);
    const { repositories } = (await api.get('/api/repositories/')).body;
    const made = repositories.find(({ name }: { name: string }) => name === 'poems');
    expect(made.path).toBe(join(second, 'backups', 'poems'));
    const planned = ['check', 'drill'].map((kind) =>
      api.get(`/api/repositories/${made.id}/${kind}-schedule`),
    );
    const [check, drill] = (await Promise.all(planned)).map(({ body }) => body);
    expect(check).toMatchObject({ enabled: true, check_cron_expression: '0 4 * * 0' });
    expect(drill).toMatchObject({ enabled: true, cron_expression: '0 5 1 * *', timezone: 'Europe/Berlin' });
    expect(keyboard.complaints).toEqual([]);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  const disk = (mount: string, device: string, free_bytes: number) => ({
    mount,
    mounts: [mount],
    type: 'ext4',
    network: false,
    removable: false,
    writable: true,
    total_bytes: 1e10,
    free_bytes,
    devices: [device],
  });

  test('keeps the line breaks of a pasted passphrase', async () => {
    const passphrase = 'first line of it\nsecond line\n\nlast';
    const path = join(server.workspace.folder('old'), 'r');
    const env = {
      PATH: process.env.PATH,
      HOME: server.workspace.folder('old-home'),
      BORG_PASSPHRASE: passphrase,
    };
    execFileSync('borg', ['init', '-e', 'repokey', path], { env, stdio: 'pipe' });
    const console = await WebConsole.open(server);
    await console.signIn();
    const page = await console.visit('/add?existing');
    await page.getByLabel('Repository folder').fill(path);
    const field = page.getByLabel('Repository passphrase', { exact: true });
    await field.evaluate(
      (element, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
      },
      `${passphrase.replaceAll('\n', '\r\n')}\r\n`,
    );
    expect(await field.inputValue()).toBe(passphrase);
    await page.getByRole('button', { name: 'Add repository' }).click();
    await page.waitForURL(/repositories\/\d+/);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  async function saveSheet(page: Page): Promise<string> {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the sheet' }).click();
    return readFileSync(await (await download).path(), 'utf8');
  }
});
