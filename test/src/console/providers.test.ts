import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminPassword, TestServer } from '../server.js';
import { OidcProvider, useProvider } from '../services/oidc.js';
import { accessibilityFindings } from './accessibility.js';
import { WebConsole } from './web-console.js';

const verified = { email_verified: true };
const people = {
  ada: { preferred_username: 'ada', email: 'ada@example.org', ...verified, groups: ['family'] },
  root: { preferred_username: 'root', email: 'root@example.org', ...verified, groups: ['backup-admins'] },
  fake: { preferred_username: 'admin', email: 'fake@example.org', ...verified },
};
const groups = [
  { group: 'backup-admins', role: 'admin' },
  { group: 'family', role: 'limited', grants: [{ tag: 'family', right: 'restore' }] },
];
const created = { SIGN_IN_UNKNOWN_USERS: 'create', SIGN_IN_GROUPS: JSON.stringify(groups) };

describe('sign-in with a provider at 390 px', () => {
  let server: TestServer;
  let provider: OidcProvider;

  beforeAll(async () => {
    server = await TestServer.start();
    provider = await OidcProvider.start(server.api.baseUrl, people);
    await useProvider(server, provider, created);
  });
  afterAll(async () => {
    await provider?.stop();
    await server?.remove();
  });

  const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Example ID' });
  const open = async () => {
    const console = await WebConsole.open(server, { width: 390 });
    return console;
  };

  /** On the pages of the provider. */
  async function authenticate(page: Page, login: string) {
    await page.waitForURL(`${provider.issuer}/**`);
    await page.locator('input[name=login]').fill(login);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    // Asked once for each person.
    const consent = page.getByRole('button', { name: 'Continue' });
    await Promise.race([consent.waitFor(), page.waitForURL(`${server.api.baseUrl}/**`)]);
    if (page.url().startsWith(provider.issuer)) await consent.click();
  }

  async function signIn(login: string, address = '/') {
    const console = await open();
    await console.page.goto(`${server.api.baseUrl}${address}`);
    await button(console.page).click();
    await authenticate(console.page, login);
    return console;
  }

  test('signs in a new user, and out of the provider too', async () => {
    const console = await open();
    const { page } = console;
    await page.goto(`${server.api.baseUrl}/schedules`);
    expect((await button(page).boundingBox())?.height).toBeGreaterThanOrEqual(44);
    expect(await accessibilityFindings(page)).toEqual([]);
    if (process.env.SIGN_IN_PICTURE) await page.screenshot({ path: process.env.SIGN_IN_PICTURE });
    await button(page).click();
    await authenticate(page, 'ada');
    await page.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/schedules');
    await page.getByRole('button', { name: /ada/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out ada' }).click();
    await page.getByRole('button', { name: /Yes, sign me out/ }).click();
    await page.getByRole('heading', { name: 'Sign in to Holdfast' }).waitFor();
    await button(page).click();
    // The provider asks again: its session is over.
    await page.locator('input[name=login]').waitFor();
    await console.close();
  });

  test('gives the roles and grants of groups', async () => {
    await (await signIn('ada')).close();
    const console = await signIn('root', '/settings/people');
    await console.page.getByText('no password: signs in with a provider').first().waitFor();
    const api = await server.login();
    const users = (await api.get('/api/auth/users')).body as { username: string }[];
    expect(users).toContainEqual(
      expect.objectContaining({ username: 'root', role: 'admin', has_password: false }),
    );
    const grants = [{ tag: 'family', right: 'restore' }];
    expect(users).toContainEqual(expect.objectContaining({ username: 'ada', role: 'limited', grants }));
    await console.close();
  });

  test('confirms with the provider instead of a password', async () => {
    const console = await signIn('root', '/account');
    const { page } = console;
    await page.getByText('A provider signs you in').waitFor();
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Unlink: Example ID' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await page.getByRole('button', { name: 'Confirm with Example ID' }).click();
    await authenticate(page, 'root');
    await page.getByRole('button', { name: 'Unlink: Example ID' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('You could no longer sign in').waitFor();
    await console.close();
  });

  test('says in words why somebody is refused', async () => {
    const console = await signIn('fake');
    await console.page.getByText('There is already an account with your name').waitFor();
    await console.close();
    await useProvider(server, provider, { SIGN_IN_UNKNOWN_USERS: 'refuse' });
    const other = await signIn('nobody');
    await other.page.getByText('You have no account here').waitFor();
    await other.close();
  });

  test('links an account after the password, and signs in with it', async () => {
    const console = await open();
    const { page } = console;
    await console.signIn();
    await console.visit('/account');
    await page.getByRole('button', { name: 'Link: Example ID' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(adminPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await authenticate(page, 'fake');
    await page.getByText('linked as admin').waitFor();
    await console.close();
    const other = await signIn('fake', '/settings/people');
    await other.page.getByRole('button', { name: 'Add a user' }).waitFor();
    await other.close();
  });

  test('lets the administrator in while the provider is down', async () => {
    await provider.stop();
    const console = await open();
    const { page } = console;
    await page.goto(`${server.api.baseUrl}/`);
    await button(page).click();
    await page.getByText('The provider could not be reached').waitFor();
    await console.signIn();
    await server.restart();
    await console.close();
  });
});
