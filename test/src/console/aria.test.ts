import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import { TestServer } from '../server.js';
import { WebConsole } from './web-console.js';

/**
 * What a screen reader is given: roles, names and states, in order. `vitest -u` writes the files anew; look at the
 * difference before it is committed.
 */
describe('the accessibility tree of the console', () => {
  let server: TestServer;
  let archive: string;
  let home: string;

  beforeAll(async () => {
    server = await TestServer.start();
    const api = await server.login();
    home = server.workspace.folder('home');
    server.workspace.folder('home', 'letters');
    writeFileSync(join(home, 'letters', 'ann.txt'), 'Dear Ann');
    writeFileSync(join(home, 'diary.txt'), 'Dear diary');
    const path = join(server.workspace.path, 'papers');
    await createRepository(api, { name: 'papers', path, source_directories: [home], freshness_hours: 26 });
    archive = (await endedJob(api, await startBackup(api, path))).archive_name as string;
    const never = join(server.workspace.path, 'photos');
    await createRepository(api, { name: 'photos', path: never, source_directories: [home] });
  });
  afterAll(async () => {
    await server.remove();
  });

  /** Those between the first one and the workspace depend on where temporary files are. */
  const withoutFoldersAbove = (snapshot: string): string => {
    const above = dirname(server.workspace.path).split('/').slice(2);
    const item = (name: string) => new RegExp(` +- listitem:\\n +- link "${name}":\\n +- /url: .*\\n`);
    return above.reduce((text, name) => text.replace(item(name), ''), snapshot);
  };

  /** Without what is another one each time. */
  const steady = (snapshot: string): string =>
    `${withoutFoldersAbove(snapshot)
      .replaceAll(archive, 'ARCHIVE')
      .replaceAll(encodeURIComponent(archive), 'ARCHIVE')
      .replaceAll(server.workspace.path.slice(1), 'tmp/WORKSPACE')
      .replaceAll(encodeURIComponent(server.workspace.path.slice(1)), 'tmp%2FWORKSPACE')
      .replaceAll(basename(server.workspace.path), 'WORKSPACE')
      .replaceAll(/\b(\w{3} )?\d{1,2} \w{3,9}( \d{4})?,? (?=\d{1,2}:\d\d)/g, '')
      .replaceAll(/\b\d{1,2}:\d\d(:\d\d)?\b/g, 'TIME')
      .replaceAll(/just now|\d+ (seconds?|minutes?|s|min) ago/g, 'AGO')
      .replaceAll(/\b\d[\d.,]* ([kMGT]?B)\b/g, 'SIZE')}\n`;

  test.each(['home', 'browser', 'plan'] as const)('stays the same: %s', async (name) => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const chosen = `/restore?repository=1&archive=${archive}&path=${join(home, 'letters').slice(1)}`;
    const browsed = `/repositories/1/browse/${archive}/${home.slice(1)}`;
    const page = await console.visit({ home: '/', browser: browsed, plan: chosen }[name]);
    const read = page.getByRole('button', { name: 'Read it' });
    if (name === 'home') await page.getByRole('link', { name: /^photos/ }).waitFor();
    if (name === 'browser') {
      await read.or(page.getByRole('grid')).first().waitFor();
      if (await read.isVisible()) await read.click();
      await page.getByRole('row', { name: /diary/ }).waitFor();
    }
    if (name === 'plan') {
      const folder = page.getByRole('textbox', { name: 'Folder', exact: true });
      await folder.fill(join(server.workspace.path, 'restored'));
      await page.getByRole('button', { name: 'Preview the restore' }).click();
      await page.getByText('Everything is ready.').waitFor();
    }
    // The frame is the same on every page; what its live region says last is a matter of moments.
    const snapshot = await page.locator(name === 'home' ? 'body' : 'main').ariaSnapshot();
    await expect(steady(snapshot)).toMatchFileSnapshot(`aria/${name}.txt`);
    await console.close();
  });
});
