import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { insideOf } from '../printed-sheet.js';
import { adminPassword, TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

const passphrase = 'the secret of letters';

describe('the page for recovery', () => {
  let server: TestServer;
  let console: WebConsole;
  let api: Api;

  beforeAll(async () => {
    server = await TestServer.start();
    const path = join(server.workspace.path, 'letters');
    api = await server.login();
    await createRepository(api, { name: 'letters', path, passphrase, mode: 'observe' });
    console = await WebConsole.open(server, { width: 390 });
    await console.signIn();
  });
  afterAll(async () => {
    await console?.close();
    await server?.remove();
  });

  const button = (name: string) => console.page.getByRole('button', { name, exact: true });
  const saved = async (act: () => Promise<void>) => {
    const download = console.page.waitForEvent('download');
    await act();
    const file = await download;
    return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
  };

  test('opens from Home and creates a sheet with secrets after the password', async () => {
    const { page } = console;
    await page.getByText('You have no recovery sheet yet').waitFor();
    await page.getByRole('link', { name: 'Create recovery sheet' }).click();
    await page.getByRole('heading', { name: 'Recovery', exact: true }).waitFor();
    const { name, content } = await saved(async () => {
      await button('Download the sheet').click();
      await page.getByLabel('Password', { exact: true }).fill(adminPassword);
      await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
    });
    expect(name).toMatch(/^holdfast-recovery-\d{4}-\d\d-\d\d\.pdf$/);
    expect(content.subarray(0, 5).toString()).toBe('%PDF-');
    expect(insideOf(content)).toContain(passphrase);
    await page.getByText(/^Your sheet from .* is up to date\.$/).waitFor();
    await console.visit('/');
    await page.getByText('Needs attention', { exact: false }).first().waitFor();
    expect(await page.getByText('You have no recovery sheet yet').count()).toBe(0);
  });

  test('creates a masked text and one encrypted with a passphrase', async () => {
    const page = await console.visit('/settings/recovery');
    await page.getByLabel('Text', { exact: true }).check();
    await page.getByLabel('With passphrases and keys').uncheck();
    const masked = await saved(() => button('Download the sheet').click());
    expect(masked.name).toMatch(/\.txt$/);
    expect(masked.content.toString()).toContain('(masked)');
    await page.getByLabel('With passphrases and keys').check();
    await page.getByLabel('Encrypt the file').check();
    await page.getByLabel('Passphrase of the sheet', { exact: true }).fill('a long one');
    await page.getByLabel('Repeat the passphrase', { exact: true }).fill('another one');
    await button('Download the sheet').click();
    await page.getByText('The passphrases don’t match.').waitFor();
    await page.getByLabel('Repeat the passphrase', { exact: true }).fill('a long one');
    const sealed = await saved(() => button('Download the sheet').click());
    expect(sealed.name).toMatch(/\.txt\.age$/);
    expect(sealed.content.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
    expect(console.violations).toEqual([]);
  });

  test('starts the backup of Holdfast itself first, with an immediate copy', async () => {
    const page = await console.visit('/settings/recovery');
    const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(titles.slice(0, 2)).toEqual(['Backup of Holdfast itself', 'Recovery sheet']);
    await button('Turn on').click();
    await button('Turn off').waitFor();
    const copies = async () => {
      const { repository_id } = (await api.get('/api/system/self-backup')).body;
      return (await api.get(`/api/jobs?kind=backup&repository_id=${repository_id}`)).body.jobs.length;
    };
    expect(await copies()).toBe(1);
    await page.getByText('The last copy is recent.').first().waitFor();
    await page.getByText('is out of date').first().waitFor();
    expect(console.violations).toEqual([]);
  });
});
