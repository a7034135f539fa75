import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { adminPassword, type TestServer } from '../server.js';
import { closeWindow, openWindow } from './chrome.js';

export interface ConsoleOptions {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  /** `pseudo`: every message is longer and has accents. */
  language?: 'en' | 'de' | 'pseudo';
  reducedMotion?: boolean;
  forcedColors?: boolean;
  /** Default: Europe/Berlin. */
  timezone?: string;
  /** Default: that of the server, an IP address. */
  host?: string;
}

/** Nothing of the screen is still being loaded; the page of all parts has examples of that. */
export const loaded = (page: Page): Promise<void> =>
  expect
    .poll(() => page.locator('main :not([translate=no] *)[aria-busy=true]').count(), { timeout: 60_000 })
    .toBe(0);

/** The screen is there, with all its data. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await loaded(page);
}

const policyMark = 'content security policy: ';

/** The web console in a browser of its own: cookies, storage and workers are not shared with another one. */
export class WebConsole {
  /** What must not happen: errors on the console of the browser, violations of its policy, requests to others. */
  readonly violations: string[] = [];

  private constructor(
    readonly server: TestServer,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly host: string | undefined,
  ) {}

  static async open(server: TestServer, options: ConsoleOptions = {}): Promise<WebConsole> {
    const { width = 1440, height = width < 600 ? 844 : 900, theme = 'light', language = 'en' } = options;
    const page = await openWindow({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: options.reducedMotion === false ? 'no-preference' : 'reduce',
      forcedColors: options.forcedColors ? 'active' : 'none',
      locale: language === 'de' ? 'de-DE' : 'en-GB',
      timezoneId: options.timezone ?? 'Europe/Berlin',
      hasTouch: width < 600,
      acceptDownloads: true,
    });
    const context = page.context();
    context.setDefaultTimeout(45_000);
    await context.addInitScript(
      ([mark, pseudo]) => {
        addEventListener('securitypolicyviolation', (event) => {
          console.error(`${mark}${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
        });
        if (pseudo) localStorage.setItem('holdfast-language', 'pseudo');
      },
      [policyMark, language === 'pseudo'] as const,
    );
    const opened = new WebConsole(server, context, page, options.host);
    opened.watch(opened.page);
    return opened;
  }

  get url(): string {
    const { baseUrl } = this.server.api;
    return this.host ? baseUrl.replace(/(?<=\/\/)[^:/]+/, this.host) : baseUrl;
  }

  /** Another tab of the same browser. */
  async tab(address = '/'): Promise<Page> {
    const page = await this.context.newPage();
    this.watch(page);
    await page.goto(`${this.url}${address}`);
    return page;
  }

  watch(page: Page): void {
    page.on('console', (message) => {
      // An answer that is no success is the business of the test that provokes it.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.violations.push(message.text());
    });
    page.on('pageerror', (error) => this.violations.push(String(error.stack ?? error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(this.url) && !/^(data|blob):/.test(request.url()))
        this.violations.push(`request to ${request.url()}`);
      if (/[?&](token|access_token|password)=/.test(request.url()))
        this.violations.push(`a secret in the address ${request.url()}`);
    });
  }

  async signIn({ username = 'admin', password = adminPassword, remember = false } = {}): Promise<this> {
    const { page } = this;
    await page.goto(`${this.url}/`);
    await page.locator('input[name=username]').fill(username);
    await page.locator('input[name=password]').fill(password);
    if (remember) await page.getByRole('checkbox').check();
    await page.locator('button[type=submit]').click();
    await page.locator('nav a[href$="/activity"]').waitFor();
    return this;
  }

  /** As if the password had just been confirmed, or never, for tests of something else. */
  async confirmed(isConfirmed = true): Promise<this> {
    const database = await this.server.database();
    const until = isConfirmed ? Date.now() + 3_600_000 : 0;
    await database.all('UPDATE browser_session SET confirmed_until = ?', until);
    await database.close();
    return this;
  }

  /** Opens an address, as a bookmark does, and waits for its data. */
  async visit(address: string): Promise<Page> {
    await this.page.goto(`${this.url}${address}`);
    await this.settled();
    return this.page;
  }

  settled(page = this.page): Promise<void> {
    return settled(page);
  }

  async close(): Promise<void> {
    // An answer that a test still changes must not fail after it.
    const stop = { behavior: 'ignoreErrors' } as const;
    await Promise.all([this.context, ...this.context.pages()].map((each) => each.unrouteAll(stop)));
    await closeWindow(this.page);
  }
}
