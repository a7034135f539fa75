import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import { tooWide } from './accessibility.js';
import { fillWorld, hostile } from './screen-world.js';
import { freeStreams } from './streams.js';
import { WebConsole } from './web-console.js';

describe('the frame of the console', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
    await fillWorld(server);
  });
  afterAll(async () => {
    await server.remove();
  });

  test('needs one event stream for ten tabs and three requests for Home', async () => {
    const console = await WebConsole.open(server);
    await console.signIn({ remember: true });
    const signedIn = () =>
      /"url":"\/api\/auth\/session"/.test(server.log) && /"url":"\/api\/overview/.test(server.log);
    await waitFor(async () => signedIn(), { what: 'the lines about the sign-in' });
    const before = server.log.length;
    await console.visit('/');
    await console.page.locator('h1 [data-state]').waitFor();
    const calls = [...server.log.slice(before).matchAll(/"method":"\w+","url":"\/api\/([^"?]*)/g)].map(
      ([, path]) => path,
    );
    // The third is the stream, whose line is written when it ends.
    expect(new Set(calls.filter((path) => path !== 'events'))).toEqual(
      new Set(['auth/session/refresh', 'overview']),
    );
    const tabs = [];
    for (let tab = 0; tab < 9; tab += 1) tabs.push(await console.tab('/'));
    for (const tab of tabs)
      await tab.getByRole('heading', { level: 1, name: /protected|unknown|late/ }).waitFor();
    const api = await server.login();
    expect(await freeStreams(api)).toBe(9);
    // What happens is told to all of them.
    await api.post('/api/backup/start', { repository: `${server.workspace.path}/letters` });
    for (const tab of tabs) await tab.getByText('newest archive just now').first().waitFor();
    for (const tab of tabs) await tab.close();
    expect(await freeStreams(api)).toBe(9);
    await console.close();
    await waitFor(async () => (await freeStreams(api)) === 10, { what: 'the end of the stream' });
    // Neither the page nor its worker put the token into an address.
    expect(server.log).toContain('/api/overview');
    expect(server.log).not.toMatch(/eyJ|[?&](access_)?token=/);
    expect(console.violations).toEqual([]);
  });

  test('does not scroll sideways before drawings have the width of a smaller window', async () => {
    const console = await WebConsole.open(server);
    // Each observer reports the width of its element once, so drawings keep their first width.
    await console.context.addInitScript(() => {
      const Observer = ResizeObserver;
      globalThis.ResizeObserver = class extends Observer {
        constructor(report: ResizeObserverCallback) {
          super((entries, observer) => {
            for (const { target } of entries) observer.unobserve(target);
            report(entries, observer);
          });
        }
      };
    });
    await console.signIn();
    const page = await console.visit('/repositories/1');
    await page.locator('main div:has(> input[type=range]) > svg[width]').waitFor();
    // Charts are drawn when they come into view.
    await page.keyboard.press('End');
    await page.locator('main div[role=img] > svg[width]').first().waitFor();
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await tooWide(page)).toBeNull();
    await console.close();
  });

  test('shows hostile names as plain text', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const page = await console.visit('/');
    await page.getByText(hostile).first().waitFor();
    await console.visit('/activity');
    await page.getByRole('link', { name: hostile }).first().waitFor();
    expect(await page.title()).not.toContain('taken');
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('finds pages and repositories by keys unless single keys are turned off', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const { page } = console;
    await page.locator('h1 [data-state]').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('activ');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.locator('h1 [data-state]').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.waitForTimeout(200);
    expect(new URL(page.url()).pathname).toBe('/');
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('requires a new password after a reset and keeps the session', async () => {
    const api = await server.login();
    const ben = (await api.get('/api/auth/users')).body.find(
      ({ username }: { username: string }) => username === 'ben',
    );
    const reset = await api.post(`/api/settings/users/${ben.id}/reset-password`, {
      new_password: 'given to ben',
    });
    expect(reset.status).toBe(200);
    const console = await WebConsole.open(server, { width: 390 });
    const { page } = console;
    await page.goto(`${console.url}/activity`);
    await page.getByLabel('User name').fill('ben');
    await page.getByLabel('Password', { exact: true }).fill('given to ben');
    await page.getByRole('checkbox', { name: 'Stay signed in on this device' }).check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Choose a password' }).waitFor();
    await page.getByLabel('Current password', { exact: true }).fill('given to ben');
    await page.getByLabel('New password', { exact: true }).fill('known to ben alone');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    const [cookie] = (await console.context.cookies(`${console.url}/api/auth/session`)).map(
      ({ expires }) => expires,
    );
    expect(cookie).toBeGreaterThan(Date.now() / 1000 + 20 * 24 * 3600);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('keeps the selected theme despite the system setting', async () => {
    const console = await WebConsole.open(server, { theme: 'light' });
    await console.signIn();
    const { page } = console;
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitem', { name: 'Dark theme' }).click();
    await expect.poll(ground).not.toBe(light);
    const dark = await ground();
    await console.visit('/activity');
    expect(await ground()).toBe(dark);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).toBe(dark);
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('reports an update of the server', async () => {
    const console = await WebConsole.open(server);
    await console.signIn();
    const { page } = console;
    await page.route('**/api/jobs*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'holdfast-version': '99.0.0' } });
    });
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText('Holdfast was updated.', { exact: false }).waitFor();
    await console.close();
  });
});
