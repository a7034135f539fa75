import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

interface Chrome {
  browser: Browser;
  pid: number;
}

/** The system's Chromium, one for all files of a worker: a start costs a second of computing. */
let chrome: Promise<Chrome> | undefined;
let windows = 0;
let rest: NodeJS.Timeout | undefined;

/** Playwright opens and closes windows without a limit of time: a browser that hangs would take the whole test. */
const longestMs = 30_000;
/** Between two tests there is no window. What is left at the end of the worker, Playwright ends with it. */
const restMs = 10_000;

async function launch(): Promise<Chrome> {
  const browser = await chromium.launch({
    executablePath: process.env.HOLDFAST_CHROMIUM || '/usr/bin/chromium',
    // The tests run as root in CI, where Chromium has no sandbox.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return { browser, pid: processInfo.find(({ type }) => type === 'browser')?.id ?? 0 };
}

export async function openWindow(options: BrowserContextOptions): Promise<Page> {
  windows += 1;
  clearTimeout(rest);
  chrome ??= launch();
  const opening = chrome.then(async ({ browser }) => (await browser.newContext(options)).newPage());
  return inTime(opening, 'open a window');
}

export async function closeWindow(page: Page): Promise<void> {
  windows -= 1;
  await inTime(page.context().close(), 'close a window');
  if (windows === 0) rest = setTimeout(leave, restMs).unref();
}

/** Rejects where Chromium hangs, and ends it: the next test gets another one. */
async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  try {
    return await within(longestMs, work, what);
  } catch (error) {
    await leave();
    throw error;
  }
}

async function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  const timer = new AbortController();
  const limit = pause(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`Chromium did not ${what} within ${ms / 1000} s.`);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    limit.catch(() => {});
    timer.abort();
  }
}

async function leave(): Promise<void> {
  const last = chrome;
  chrome = undefined;
  if (last === undefined) return;
  const closing = last.then(({ browser }) => browser.close());
  await within(5_000, closing, 'end').catch(() => last.then(({ pid }) => process.kill(pid, 'SIGKILL')));
}
