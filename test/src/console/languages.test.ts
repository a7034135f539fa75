import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { backUpItself, switchOn } from '../self-backup.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { quickSetup } from '../ssh-actions.js';
import { untranslated } from './looks.js';
import { WebConsole } from './web-console.js';

describe('a German console', () => {
  let server: TestServer;
  let sshd: TestSshd;
  let api: Api;
  let repository: number;
  let host: number;

  beforeAll(async () => {
    [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start()]);
    api = await server.login();
    const source = server.workspace.folder('home');
    writeFileSync(join(source, 'diary'), 'today');
    const lose = (path: string) => renameSync(path, `${path} elsewhere`);
    const path = join(server.workspace.path, 'photos');
    const { id } = await createRepository(api, { name: 'photos', path, source_directories: [source] });
    lose(path);
    await api.post(`/api/repositories/${id}/test`);
    const own = await switchOn(api, { path: join(server.workspace.path, 'own') });
    await backUpItself(api);
    lose(own.path);
    await backUpItself(api);
    const restrict = { path: join(sshd.home, 'stores'), append_only: false };
    host = (await quickSetup(api, sshd, { restrict })).id;
    repository = id;
  });
  afterAll(async () => {
    await Promise.all([server.remove(), sshd.remove()]);
  });

  test.each([390, 1440])('mixes no English into errors, at %i px', async (width) => {
    const console = await WebConsole.open(server, { width, language: 'de' });
    await console.signIn();
    const mixed: string[] = [];
    const screens = {
      '/': 'Unter seinem Pfad gibt es kein Repository.',
      [`/repositories/${repository}`]: 'Unter seinem Pfad gibt es kein Repository.',
      [`/repositories/${repository}/maintenance`]: 'Unter seinem Pfad gibt es kein Repository.',
      '/settings/recovery': 'Unter seinem Pfad gibt es kein Repository.',
      [`/settings/hosts/${host}`]: 'nur borg serve',
    };
    for (const [screen, words] of Object.entries(screens)) {
      const page = await console.visit(screen);
      await page.locator('main').getByText(words, { exact: false }).first().waitFor();
      mixed.push(...(await untranslated(page)).map((text) => `${screen}: ${text}`));
    }
    await console.page.getByRole('button', { name: 'Jetzt verbinden' }).click();
    await console.page
      .getByText('Der Schlüssel funktioniert für ', { exact: false })
      .waitFor({ state: 'attached' });
    const said = await console.page.getByRole('status').allTextContents();
    expect(said.join()).toMatch(/Er darf dort nur „borg serve“ ausführen/);
    expect(mixed).toEqual([]);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('asks for the password before a download without calling it final', async () => {
    const console = await WebConsole.open(server, { language: 'de' });
    await console.signIn();
    await console.confirmed(false);
    const page = await console.visit('/settings/recovery');
    await page.getByRole('button', { name: 'Blatt herunterladen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Passwort', { exact: false }).first().waitFor();
    expect(await dialog.textContent()).not.toMatch(/rückgängig|endgültig|undone/);
    expect(await dialog.locator('[lang=en]').count()).toBe(0);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('explains why a host does not connect', async () => {
    await sshd.stop();
    const console = await WebConsole.open(server, { width: 390, language: 'de' });
    await console.signIn();
    const page = await console.visit(`/settings/hosts/${host}`);
    await page.getByRole('button', { name: 'Jetzt verbinden' }).click();
    await page.locator('main').getByText('Er lehnt die Verbindung ab', { exact: false }).waitFor();
    expect(await untranslated(page)).toEqual([]);
    await console.close();
  });
});
