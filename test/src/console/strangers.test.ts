import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archived, archivesOf, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import { fillWorld, hostile } from './screen-world.js';
import { screens } from './screens.js';
import { WebConsole } from './web-console.js';

describe('hostile text in the console', () => {
  let server: TestServer;
  let api: Api;
  let console: WebConsole;
  let far: Server;
  /** What the service says of the far side's answer. */
  let said: string;

  beforeAll(async () => {
    server = await TestServer.start();
    api = await fillWorld(server);
    await importFromPlainBorg();
    far = createServer((_, answer) => answer.writeHead(500, hostile.replaceAll('"', "'")).end(hostile));
    await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve));
    const service_url = `json://127.0.0.1:${(far.address() as AddressInfo).port}/hook`;
    const made = [
      await api.post('/api/schedule/', {
        name: hostile,
        description: hostile,
        cron_expression: '0 3 * * *',
        repository_ids: [2],
      }),
      await api.post('/api/auth/users', { username: hostile, password: 'a long password', is_admin: false }),
      await api.post('/api/auth/tokens', { name: hostile }),
      await api.post('/api/source-sets', { name: hostile, source_directories: [`/${hostile}`] }),
      await api.post('/api/scripts', {
        name: `${hostile} 2`,
        description: hostile,
        content: `echo '${hostile}' "\${WHO:-${hostile}}"; exit 3`,
      }),
      await api.put('/api/notifications/1', { service_url }),
    ];
    expect(made.map(({ status, text }) => (status < 300 ? '' : text))).toEqual(made.map(() => ''));
    await startBackup(api, join(server.workspace.path, 'letters'));
    const answered = async () =>
      (await api.get('/api/notifications/1/deliveries')).body.deliveries[0]?.last_error as string;
    said = await waitFor(answered, { what: 'an attempt to tell the far side' });
    await server.login(hostile, 'a long password');
    console = await WebConsole.open(server);
    await console.signIn();
  });
  afterAll(async () => {
    await console.close();
    far.close();
    await server.remove();
  });

  /** A repository that somebody else has filled: the name and the comment of an archive are theirs. */
  async function importFromPlainBorg(): Promise<void> {
    const path = join(server.workspace.path, 'of-a-stranger');
    const env = {
      PATH: process.env.PATH,
      HOME: server.workspace.folder('stranger'),
      BORG_PASSPHRASE: 'theirs',
    };
    const borg = (...words: string[]) =>
      execFileSync('borg', words, { env, cwd: server.workspace.path, stdio: 'pipe' });
    borg('init', '--encryption=repokey', path);
    borg('create', '--comment', hostile, `${path}::${hostile}`, 'source');
    const answer = await api.post('/api/repositories/import', {
      name: 'stranger',
      path,
      passphrase: 'theirs',
      mode: 'observe',
    });
    expect(answer.status, answer.text).toBe(201);
  }

  const innocent = async (where: string) => {
    const { page } = console;
    expect(await page.title(), where).toMatch(/ · Holdfast$/);
    expect(await page.locator('img[src="x"]').count(), where).toBe(0);
    expect(console.violations, where).toEqual([]);
  };

  test('is shown as text on every screen', async () => {
    const name = encodeURIComponent(hostile);
    const inside = archived(server.workspace.folder('source', 'home'));
    const more = [
      '/activity?kind=backup',
      '/activity/4',
      '/schedules/2',
      '/settings/source-sets/1',
      '/settings/scripts/2',
      '/settings/audit?kind=login',
      '/repositories/4',
      '/repositories/4/archives',
      `/repositories/4/history?path=${name}`,
      `/restore?repository=4&archive=${name}&path=`,
      `/restore?find=${name}`,
      `/repositories/1/browse/${(await archivesOf(api, join(server.workspace.path, 'letters')))[0]?.name}/${inside}`,
      `/repositories/4/browse/${name}/source/home`,
    ];
    for (const address of [...screens, ...more]) {
      await console.visit(address);
      await innocent(address);
    }
    const { page } = console;
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByRole('row').filter({ hasText: hostile }).waitFor();
    await innocent('files');
    await console.visit('/repositories/4/archives');
    await page.getByRole('button', { name: /^Actions for the archive/ }).click();
    await page.getByRole('menuitem', { name: 'Details' }).click();
    await page.getByRole('dialog').getByRole('definition').filter({ hasText: hostile }).waitFor();
    await innocent('details');
    await console.visit('/activity/4');
    await page.locator('main pre').filter({ hasText: hostile }).waitFor();
    await console.visit('/settings/notifications/1');
    await page.locator('main').getByText(said).first().waitFor();
    await innocent('deliveries');
    await console.visit('/settings/audit?action=authLogin');
    await page.locator('main bdi').filter({ hasText: hostile }).first().waitFor();
    await innocent('audit');
  });

  test('browses, selects and downloads names of any length and direction', async () => {
    const inside = archived(server.workspace.folder('source', 'home'));
    const [archive] = await archivesOf(api, join(server.workspace.path, 'letters'));
    const page = await console.visit(`/repositories/1/browse/${archive?.name}/${inside}`);
    const read = page.getByRole('button', { name: 'Read it' });
    const rows = page.getByRole('row');
    await read.or(rows.first()).first().waitFor();
    if (await read.isVisible()) await read.click();
    await rows.filter({ hasText: 'שלום עולם.txt' }).waitFor();
    for (const name of [/^Select n{251}\.txt/, /^Select שלום עולם\.txt/, /^Select f.*\.t$/])
      await page.getByRole('checkbox', { name }).check();
    await page.getByText(/^3 items/).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download f.*\.t$/ }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toBe('odd bytes');
    await innocent('a folder');
  });
});
