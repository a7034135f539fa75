/** An application in containers: protected by the wizard in one pass, destroyed, and restored in the console. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PodmanEngine } from '../../../scripts/services/podman.mjs';
import { endedJob } from '../actions.js';
import type { Api } from '../api.js';
import { databaseInContainer } from '../database-in-container.js';
import { adminPassword, TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import { accessibilityFindings } from './accessibility.js';
import { WebConsole } from './web-console.js';

// It stops when `busy` is gone.
const app = 'trap "while [ -e /data/busy ]; do sleep 0.1; done; exit 0" TERM; sleep 1000 & wait';

describe('an application in the console', () => {
  let engine: PodmanEngine;
  let server: TestServer;
  let api: Api;
  let console: WebConsole;

  const startApp = () =>
    engine.container('immich', {
      image: 'ghcr.io/immich-app/immich-server:release',
      options: ['-v', 'photos:/data', '-e', 'DB_HOSTNAME=immich-database', '--stop-timeout', '300'],
      command: ['sh', '-c', app],
    });
  const startDatabase = async () => {
    engine.container('immich-database', {
      image: 'ghcr.io/immich-app/postgres:14-vectorchord',
      options: ['-v', 'immich-database:/data', '-e', 'PGHOST=/tmp', '-e', 'POSTGRES_PASSWORD=sesame'],
      command: ['sh', '-c', databaseInContainer],
    });
    await waitFor(isUp, { what: 'the database in the container' });
  };
  const sql = (text: string, ...more: string[]) =>
    engine.podman('exec', ...more, 'immich-database', 'psql', '-XAtqU', 'postgres', 'immich', '-c', text);
  const isUp = () => {
    try {
      return sql('SELECT 1', '-e', 'PGDATABASE=postgres') === '1';
    } catch (error) {
      return String(error).includes('"immich" does not exist');
    }
  };
  const volumeOf = (name: string) => engine.podman('volume', 'inspect', '--format', '{{.Mountpoint}}', name);
  const inApp = (command: string) => engine.podman('exec', 'immich', 'sh', '-c', command);

  beforeAll(async () => {
    engine = await PodmanEngine.start();
    await startDatabase();
    startApp();
    const roles = 'CREATE ROLE immich LOGIN';
    engine.podman('exec', 'immich-database', 'psql', '-XqU', 'postgres', '-c', roles);
    engine.podman('exec', 'immich-database', 'createdb', '-U', 'postgres', '-O', 'immich', 'immich');
    sql(`CREATE TABLE assets (name text); INSERT INTO assets VALUES ('ann.jpg'), ('ben.jpg')`);
    sql('ALTER TABLE assets OWNER TO immich');
    inApp('echo Ann >/data/ann.jpg; mkdir /data/thumbs; echo small >/data/thumbs/ann.jpg');
    server = await TestServer.start({ env: { PLUGIN_SOURCE_CONTAINER_SOCKET: engine.socket } });
    api = await server.login();
    console = await WebConsole.open(server);
    await console.signIn();
  });
  afterAll(async () => {
    await console?.close();
    await server?.remove();
    await engine?.remove();
  });

  test('is protected by the wizard in one pass', async () => {
    const page = await console.visit('/add');
    const next = page.getByRole('button', { name: 'Next' });
    await page.getByRole('button', { name: 'Add database or container' }).click();
    const dialog = page.getByRole('dialog');
    const found = 'Immich. Stopped while its databases are dumped. Volumes: /data.';
    await dialog
      .getByLabel('Found on that host')
      .selectOption(`immich · Containers (Docker, Podman) · ${found}`);
    await dialog.getByText(found, { exact: true }).and(page.locator('p')).waitFor();
    await dialog.getByText('immich-database PostgreSQL, immich-database').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Use it' }).click();
    await next.click();
    await page.getByLabel('Folder for backups').fill(server.workspace.folder('disk'));
    await next.click();
    await page.getByRole('button', { name: 'Use my own' }).click();
    await page.getByLabel('Your passphrase', { exact: true }).fill('a passphrase of mine');
    await page.getByLabel('Repeat your passphrase', { exact: true }).fill('a passphrase of mine');
    await page.getByRole('checkbox', { name: 'I keep the passphrase somewhere else' }).check();
    await next.click();
    await page.getByRole('heading', { name: 'When, and for how long?' }).waitFor();
    await next.click();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('definition').filter({ hasText: 'immich-stopped' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    writeFileSync(join(volumeOf('photos'), 'busy'), '');
    sql('BEGIN; LOCK assets; SELECT pg_sleep(600)', '--detach');
    await page.getByRole('button', { name: 'Create and back up now' }).click();
    await page.waitForURL(/activity/);
    const source = (name: string, state: string) =>
      page.getByRole('listitem').filter({ hasText: name }).filter({ hasText: state });
    await source('immich-stopped', 'Being prepared').waitFor();
    rmSync(join(volumeOf('photos'), 'busy'));
    await source('immich-stopped', 'In use').waitFor();
    await source('immich-database', 'In use').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    for (const name of ['immich-stopped', 'immich-database']) await source(name, 'Done').waitFor();
    const job = await endedJob(api, Number(new URL(page.url()).pathname.split('/').at(-1)));
    expect([job.status, job.error_message]).toEqual(['completed', null]);
    await console.visit('/');
    await page.getByRole('heading', { name: 'Your repository is protected.' }).waitFor();
  });

  async function restoreDump(name: string, into?: string) {
    const { archives } = (await api.get('/api/archives/list?repository_id=1')).body;
    const folder = 'holdfast-sources/postgresql/immich-database';
    const page = await console.visit(`/repositories/1/browse/${archives[0].name}/${folder}`);
    const read = page.getByRole('button', { name: 'Read it' });
    const dump = page.getByRole('grid').getByRole('button', { name }).first();
    await read.or(dump).first().waitFor();
    if (await read.isVisible()) await read.click();
    await dump.click();
    await page.getByRole('button', { name: 'Restore database…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore a database' });
    await dialog.getByText('PostgreSQL, immich-database, this server').waitFor();
    if (into) await dialog.getByLabel('Name of the new database').fill(into);
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Restore database' }).click();
    await page.getByText(into ? `was restored as ${into}.` : `${name} was restored.`).waitFor();
  }

  test('is restored after it was destroyed, with the same data', async () => {
    const volume = volumeOf('photos');
    engine.podman('rm', '--force', '--time=0', 'immich', 'immich-database');
    engine.podman('volume', 'rm', 'photos', 'immich-database');
    engine.podman('volume', 'create', 'photos');
    await startDatabase();

    const { archives } = (await api.get('/api/archives/list?repository_id=1')).body;
    const page = await console.visit(
      `/restore?repository=1&archive=${archives[0].name}&path=${volume.slice(1)}`,
    );
    await page.getByRole('radio', { name: 'Original location' }).check();
    await page.getByRole('button', { name: 'Preview the restore' }).click();
    await page.getByRole('button', { name: /^Restore 1 file/ }).click();
    const password = page.getByLabel('Password', { exact: true });
    const placed = page.getByText('Everything that you selected is in place.');
    await password.or(placed).first().waitFor();
    if (await password.isVisible()) {
      await password.fill(adminPassword);
      await page.getByRole('button', { name: 'Confirm' }).click();
    }
    await placed.waitFor();
    await restoreDump('globals.sql');
    await restoreDump('immich.dump', 'immich');

    startApp();
    expect(inApp('cat /data/ann.jpg')).toBe('Ann');
    expect(sql('SELECT * FROM assets ORDER BY name')).toBe('ann.jpg\nben.jpg');
    expect(sql(`SELECT tableowner FROM pg_tables WHERE tablename = 'assets'`)).toBe('immich');
    expect(console.violations).toEqual([]);
  });
});
