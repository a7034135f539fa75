import { readFileSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminPassword, TestServer } from '../server.js';
import { accessibilityFindings, tooWide } from './accessibility.js';
import { WebConsole } from './web-console.js';

const password = 'a password of ann';

/** Browsers know passkeys of names only. */
const host = 'localhost';

interface Credential {
  credentialId: string;
  isResidentCredential: boolean;
  privateKey: string;
  signCount: number;
}

/** An authenticator in the page that verifies its user. */
async function withAuthenticator({ context, page }: WebConsole) {
  const session = await context.newCDPSession(page);
  let authenticatorId = '';
  let credential: Credential | undefined;
  for (const event of ['WebAuthn.credentialAdded', 'WebAuthn.credentialAsserted'] as const)
    session.on(event, (told) => {
      credential = told.credential;
    });
  const attach = async () => {
    await session.send('WebAuthn.enable');
    const added = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    authenticatorId = added.authenticatorId;
  };
  await attach();
  return {
    /** Other pages, loads and downloads remove it: it comes back as used as it was, or less. */
    async ready(signCount?: number) {
      await page.bringToFront();
      await session.send('WebAuthn.disable').catch(() => undefined);
      await attach();
      if (!credential) return;
      const used = { ...credential, signCount: signCount ?? credential.signCount };
      await session.send('WebAuthn.addCredential', { authenticatorId, credential: used });
    },
    setUserVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Nothing sticks out, and everybody can use it. */
async function expectGood(page: Page) {
  expect(await tooWide(page)).toBeNull();
  expect(await accessibilityFindings(page)).toEqual([]);
}

async function givePassword(page: Page, username: string) {
  await page.locator('input[name=username]').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
}

const isIn = (page: Page) => page.locator('nav a[href$="/activity"]').waitFor();

async function signOut(page: Page, username: string) {
  await button(page, `Account of ${username}`).click();
  await page.getByRole('menuitem', { name: `Sign out ${username}` }).click();
  await page.locator('input[name=username]').waitFor();
}

/** Reads the key, and the recovery codes behind the first code. */
async function setUpApp(page: Page) {
  const area = page.getByRole('group', { name: 'Key' });
  await expectGood(page);
  const secret = Secret.fromBase32(((await area.textContent()) ?? '').trim());
  const codeIn = (ms: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + ms });
  await page.getByLabel('Code of the authenticator app').fill(codeIn(0));
  await button(page, 'Turn on').click();
  const codes = await recoveryCodes(page);
  return { codeIn, codes };
}

async function recoveryCodes(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  await expectGood(page);
  const codes = await list.getByRole('listitem').allTextContents();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()]);
  expect(readFileSync((await download.path()) ?? '', 'utf8')).toContain(codes.join('\n'));
  expect(await button(page, 'Done').isDisabled()).toBe(true);
  await page.getByLabel('I have saved them').check();
  await button(page, 'Done').click();
  await list.waitFor({ state: 'detached' });
  return codes;
}

async function openAccount(page: Page, username: string) {
  await button(page, `Account of ${username}`).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
}

async function addPasskey(page: Page) {
  await button(page, 'Add a passkey').first().click();
  const area = page.getByRole('dialog');
  await area.getByLabel('Password', { exact: true }).fill(password);
  await area.getByLabel('Name', { exact: true }).fill('Phone');
  await area.getByRole('button', { name: 'Add a passkey' }).click();
}

describe('the second factor in the console', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
    const api = await server.login();
    for (const username of ['ann', 'ben', 'cleo', 'dora'])
      await api.post('/api/auth/users', { username, password, role: 'admin' });
  });
  afterAll(() => server.remove());

  async function open(username: string) {
    const console = await WebConsole.open(server, { width: 390, host });
    await console.page.goto(`${console.url}/`);
    await givePassword(console.page, username);
    await isIn(console.page);
    return { console, page: console.page };
  }

  test('signs in with an app, and once with each recovery code', async () => {
    const { console, page } = await open('ann');
    await openAccount(page, 'ann');
    await button(page, 'Set up an authenticator app').click();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password);
    await button(page, 'Continue').click();
    const { codeIn, codes } = await setUpApp(page);
    expect(codes).toHaveLength(10);
    await page.getByText('10 codes are left.').waitFor();
    await expectGood(page);
    await signOut(page, 'ann');

    await givePassword(page, 'ann');
    const field = page.getByLabel('Code of the authenticator app');
    await field.waitFor();
    await expectGood(page);
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill(codeIn(-3_600_000));
    await button(page, 'Sign in').click();
    await page.getByRole('alert').getByText('The code is wrong').waitFor();
    // That of this step was used to set it up.
    await field.fill(codeIn(30_000));
    await button(page, 'Sign in').click();
    await isIn(page);
    await signOut(page, 'ann');

    const useRecoveryCode = async () => {
      await givePassword(page, 'ann');
      await button(page, 'Use a recovery code').click();
      await page.getByLabel('Recovery code', { exact: true }).fill(codes[0]?.toUpperCase() ?? '');
      await button(page, 'Sign in').click();
    };
    await useRecoveryCode();
    await isIn(page);
    await signOut(page, 'ann');
    await useRecoveryCode();
    await page.getByRole('alert').getByText('was used already').waitFor();
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('returns to the password when the step took too long', async () => {
    const console = await WebConsole.open(server, { width: 390, host });
    const { page } = console;
    await page.goto(`${console.url}/`);
    await givePassword(page, 'ann');
    await page.getByLabel('Code of the authenticator app').fill('123456');
    const database = await server.database();
    await database.all('UPDATE sign_in_challenge SET expires_at = 1');
    await database.close();
    await button(page, 'Sign in').click();
    await page.getByRole('alert').getByText('This step of signing in is over').waitFor();
    await page.locator('input[name=password]').waitFor();
    await expectGood(page);
    await console.close();
  });

  test('adds a passkey that signs in, confirms, and is a second factor', async () => {
    const { console, page } = await open('ben');
    const authenticator = await withAuthenticator(console);
    await openAccount(page, 'ben');
    await addPasskey(page);
    expect(await recoveryCodes(page)).toHaveLength(10);
    await page.getByText('Phone', { exact: true }).waitFor();
    await expectGood(page);
    await signOut(page, 'ben');

    // Alone.
    await authenticator.ready();
    await button(page, 'Sign in with a passkey').click();
    await isIn(page);

    // It confirms instead of the password.
    await openAccount(page, 'ben');
    await button(page, 'More for the passkey Phone').click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Telephone');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await button(page, 'More for the passkey Telephone').click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog', { name: 'Confirm your password' }).waitFor();
    await expectGood(page);
    await authenticator.ready();
    await button(page, 'Use a passkey').click();
    await page.getByText('You have no passkeys.').waitFor();

    // After the password.
    await authenticator.ready();
    await addPasskey(page);
    await recoveryCodes(page);
    await signOut(page, 'ben');
    await givePassword(page, 'ben');
    await page.getByText('Confirm with your passkey').waitFor();
    await expectGood(page);
    await authenticator.ready();
    await button(page, 'Use a passkey').click();
    await isIn(page);
    await signOut(page, 'ben');

    // A copy was used meanwhile; and an authenticator that does not verify its user is not enough alone.
    await authenticator.ready(0);
    await button(page, 'Sign in with a passkey').click();
    await page.getByRole('alert').getByText('it may have been copied').waitFor();
    await authenticator.setUserVerified(false);
    await button(page, 'Sign in with a passkey').click();
    await page.getByRole('alert').getByText('No passkey was used').waitFor();
    expect(console.violations).toEqual([]);
    await console.close();
  });

  test('says why there are no passkeys at an IP address', async () => {
    const console = await WebConsole.open(server, { width: 390 });
    const { page } = console;
    await page.goto(`${console.url}/`);
    await givePassword(page, 'cleo');
    await isIn(page);
    await openAccount(page, 'cleo');
    await page.getByText('Passkeys work only over HTTPS and with a host name').waitFor();
    expect(await button(page, 'Add a passkey').count()).toBe(0);
    await signOut(page, 'cleo');
    expect(await button(page, 'Sign in with a passkey').count()).toBe(0);
    await console.close();
  });

  test('shows administrators who has one, and resets it', async () => {
    const { console, page } = await open('dora');
    await console.confirmed();
    await console.visit('/settings/people');
    const users = page.getByRole('table', { name: 'Users' }).or(page.getByRole('list', { name: 'Users' }));
    await users.getByText('App', { exact: true }).first().waitFor();
    await expectGood(page);
    await button(page, 'More for ann').click();
    await page.getByRole('menuitem', { name: 'Reset second factor' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click();
    await users.getByText('App', { exact: true }).waitFor({ state: 'detached' });
    await console.close();
    await (await open('ann')).console.close();
  });
});

test('lets nobody in before a second factor is set up where it is required', async () => {
  const server = await TestServer.start({ env: { REQUIRE_SECOND_FACTOR: 'all' } });
  try {
    const console = await WebConsole.open(server, { width: 390, host });
    const { page } = console;
    await page.goto(`${console.url}/`);
    await page.locator('input[name=username]').fill('admin');
    await page.locator('input[name=password]').fill(adminPassword);
    await page.locator('button[type=submit]').click();
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await expectGood(page);
    await button(page, 'Authenticator app').click();
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await button(page, 'Continue').click();
    expect((await setUpApp(page)).codes).toHaveLength(10);
    await isIn(page);
    expect(console.violations).toEqual([]);
    await console.close();
  } finally {
    await server.remove();
  }
});
