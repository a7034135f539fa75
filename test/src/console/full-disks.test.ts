import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archivesOf, backUp, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';
import { WebConsole } from './web-console.js';

describe('full disks in the console', () => {
  let server: TestServer;
  let api: Api;
  let console: WebConsole;

  beforeAll(async () => {
    const workspace = makeWorkspace();
    // Small disks that only this service sees, and that go with it: of the repositories, and of its own data.
    const mount = ['small', 'data']
      .map((name) => `mount -t tmpfs -o size=40m tmpfs '${workspace.folder(name)}'`)
      .join(' && ');
    const script = `${mount} && exec "$@"`;
    server = await TestServer.start({ workspace, wrapper: ['unshare', '--mount', 'sh', '-c', script, 'sh'] });
    api = await server.login();
    const source = workspace.folder('source');
    writeFileSync(join(source, 'ann.txt'), 'Dear Ann');
    makeRandomFiles(workspace.folder('large'), 4, 15);
    const path = join(workspace.path, 'small', 'repository');
    await createRepository(api, { name: 'letters', path, source_directories: [source], freshness_hours: 26 });
    const roomy = join(workspace.path, 'roomy');
    await createRepository(api, {
      name: 'photos',
      path: roomy,
      source_directories: [workspace.folder('large')],
    });
    await backUp(api, path);
    await backUp(api, roomy);
    console = await WebConsole.open(server);
    await console.signIn();
  });
  afterAll(async () => {
    await console.close();
    await server.remove();
  });

  /** Where everybody else finds what only the service sees. */
  const seen = (...names: string[]) => join(`/proc/${server.pid}/root`, server.workspace.path, ...names);

  test('fails the job and keeps the protection when the repository is full', async () => {
    const path = join(server.workspace.path, 'small', 'repository');
    await api.put('/api/repositories/1', { source_directories: [server.workspace.folder('large')] });
    const job = await backUp(api, path);
    const page = await console.visit(`/activity/${job.id}`);
    await page.getByText('Backup failed.').waitFor();
    await page
      .locator('main')
      .getByText(/no space|full/i)
      .first()
      .waitFor();
    await console.visit('/');
    await page.getByRole('link', { name: /^letters, Protected, newest archive/ }).waitFor();
  });

  test('reports the lack in the plan and starts nothing when the destination is full', async () => {
    const [archive] = await archivesOf(api, join(server.workspace.path, 'roomy'));
    const page = await console.visit(`/restore?repository=2&archive=${archive?.name}&path=`);
    await page.getByRole('radio', { name: 'A new folder' }).check();
    const target = join(server.workspace.path, 'small', 'restored');
    await page.getByRole('textbox', { name: 'Folder', exact: true }).fill(target);
    await page.getByRole('button', { name: 'Preview the restore' }).click();
    await page.getByText('This restore can’t start.').waitFor();
    await page
      .locator('main')
      .getByRole('listitem')
      .filter({ hasText: /space|free/ })
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /^Restore \d/ }).count()).toBe(0);
  });

  test('explains it, keeps data, pauses actions, and recovers when the server is full', async () => {
    const page = await console.visit('/repositories/2');
    const begin = page.getByRole('button', { name: 'Back up now: photos' });
    await begin.waitFor();
    // The first refused write frees what the service keeps for the end of its jobs.
    let refused = 0;
    const isFull = async () => {
      fill(seen('data', 'filler'));
      if ((await api.put('/api/repositories/2', { name: 'photos' })).status === 503) refused += 1;
      return refused === 2;
    };
    await waitFor(isFull, { what: 'a storage without room', timeoutMs: 60_000 });
    // The console notices it with the next request that needs the storage.
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByText(/^Holdfast is not ready/).waitFor();
    expect(await begin.isDisabled()).toBe(true);
    await page.getByText('Unavailable until Holdfast responds.').first().waitFor();
    await page.getByRole('heading', { level: 1, name: 'photos' }).waitFor();
    rmSync(seen('data', 'filler'));
    await page.getByText(/^Holdfast is not ready/).waitFor({ state: 'detached' });
    expect(await begin.isEnabled()).toBe(true);
    expect(console.violations).toEqual([]);
  });
});

/** Takes every byte that is left. */
function fill(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (const size of [1 << 16, 1 << 12, 1]) {
      const block = Buffer.alloc(size);
      while (hasRoom(file, block));
    }
  } finally {
    closeSync(file);
  }
}

function hasRoom(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) > 0;
  } catch {
    return false;
  }
}
