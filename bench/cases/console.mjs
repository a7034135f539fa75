import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { root } from '../../scripts/prepare/root.mjs';
import { chromium as service } from '../../scripts/services/chromium.mjs';
import { backUp, createRepository, password, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { slowNetwork } from '../slow-network.mjs';
import { median, megabytes, milliseconds, percentile, seconds } from '../statistics.mjs';

const limits = {
  first: 75e3,
  everything: 200e3,
  everythingGerman: 215e3,
  homeMs: 2_000,
  routeMs: 150,
  folderMs: 1_000,
  slowFrames: 0.05,
  tabBytes: 20e6,
  serverBytes: 2e6,
  startMs: 20,
};
const routes = ['/', '/repositories', '/schedules', '/activity', '/settings'];
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const share = (part) => `${(part * 100).toFixed(1)} %`;
const assets = join(root, 'console', 'dist', 'assets');

/** The web console: what a browser loads, and how long a person waits. */
export async function webConsole({ folder, say }) {
  const { found } = await service.prepare();
  const browser = await chromium.launch({
    executablePath: found,
    args: ['--no-sandbox', '--js-flags=--expose-gc'],
  });
  const data = join(folder, 'console');
  mkdirSync(data);
  const server = await startService(data);
  try {
    const api = await signIn(server.url);
    const archive = await fill(api, folder, say);
    return [
      ...(await sizes(browser, server)),
      ...(await home(browser, server, say)),
      ...(await moving(browser, server)),
      ...(await largeFolder(browser, server, archive)),
      ...(await atTheServer(folder, browser)),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function fill(api, folder, say) {
  say('making 10,000 files in one folder, and six repositories');
  const source = join(folder, 'console-source');
  mkdirSync(source);
  for (let n = 0; n < 10_000; n++)
    writeFileSync(join(source, `photo-${String(n).padStart(5, '0')}.jpg`), `${n}`);
  for (let n = 0; n < 6; n++)
    await createRepository(api, {
      name: `repository ${n}`,
      path: join(folder, `console-repository-${n}`),
      source,
    });
  const job = await backUp(api, join(folder, 'console-repository-0'));
  return { name: job.archive_name, path: source };
}

/** A browser that is signed in, with nothing in its cache. */
async function signedIn(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  const answer = await context.request.post(`${url}/api/auth/session`, {
    data: { username: 'admin', password },
  });
  if (!answer.ok()) throw new Error(await answer.text());
  return context;
}

const sentence = 'h1 [data-state]';

async function sizes(browser, { url }) {
  const context = await signedIn(browser, url);
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(sentence).waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  const names = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  const worker = readdirSync(assets).filter((name) => /^worker-.*\.js$/.test(name));
  await context.close();
  const files = new Set([
    ...names.filter((name) => /\/assets\/.*\.(js|css)$/.test(name)).map((name) => name.split('/').at(-1)),
    ...worker,
  ]);
  const size = (name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length;
  const sum = (all) => all.reduce((total, name) => total + size(name), 0);
  const everything = readdirSync(assets).filter((name) => /\.(js|css)$/.test(name));
  const languageOf = (name) => /^(?:words|more|server)[-.](en|de)-/.exec(name)?.[1];
  const all = (language) => sum(everything.filter((name) => (languageOf(name) ?? language) === language));
  return [
    row(
      `console: JavaScript and CSS until Home is complete (${files.size} files, with the worker), gzip`,
      sum([...files]),
      limits.first,
      kilobytes,
    ),
    row(
      'console: all JavaScript and CSS of a person who reads English, gzip',
      all('en'),
      limits.everything,
      kilobytes,
    ),
    row(
      'console: the same in German, with the sentences of the server',
      all('de'),
      limits.everythingGerman,
      kilobytes,
    ),
    row('console: both languages, which nobody loads', sum(everything), limits.everything, kilobytes),
  ];
}

async function home(browser, { url }, say) {
  const network = await slowNetwork(Number(new URL(url).port));
  const times = [];
  for (let n = 0; n < 5; n++) {
    const context = await signedIn(browser, network.url);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const began = performance.now();
    await page.goto(network.url, { waitUntil: 'commit' });
    await page.locator(sentence).waitFor();
    times.push(performance.now() - began);
    await context.close();
  }
  network.close();
  say(`Home on slow 4G: ${times.map((time) => seconds(time)).join(', ')}`);
  return [
    row(
      'console: Home shows its sentence on slow 4G with 4× CPU throttling, median of 5',
      median(times),
      limits.homeMs,
      seconds,
    ),
  ];
}

async function moving(browser, { url }) {
  const context = await signedIn(browser, url, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(sentence).waitFor();
  const session = await context.newCDPSession(page);
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  const go = (route) =>
    page.evaluate(async (to) => {
      const before = document.querySelector('main h1');
      const began = performance.now();
      document.querySelector(`nav a[href="${to}"]`).click();
      while (document.querySelector('main h1') === before || !document.querySelector('main h1'))
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - began;
    }, route);
  const times = [];
  for (const route of [...routes.slice(1), routes[0]]) times.push(await go(route));
  for (let n = 0; n < 25; n++) times.push(await go(routes[(n + 1) % routes.length]));
  const before = await heap();
  for (let n = 0; n < 500; n++) await go(routes[(n + 1) % routes.length]);
  const grown = (await heap()) - before;
  await context.close();
  return [
    row(
      `console: route change, p95 of ${times.length}, the first of each loads its code`,
      percentile(times, 0.95),
      limits.routeMs,
      milliseconds,
    ),
    row('console: memory of the tab after 500 route changes', grown, limits.tabBytes, megabytes),
  ];
}

async function largeFolder(browser, { url }, archive) {
  const context = await signedIn(browser, url, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const address = (path) =>
    `${url}/repositories/1/browse/${encodeURIComponent(archive.name)}${path.split('/').map(encodeURIComponent).join('/')}`;
  // The first look builds the listing, which is the backup tool's time.
  await page.goto(address(''));
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.locator('[role=row]').nth(1).waitFor({ timeout: 60_000 });
  const began = performance.now();
  await page.goto(address(archive.path));
  await page.locator('[role=row]').nth(5).waitFor();
  const took = performance.now() - began;
  const frames = await page.evaluate(async () => {
    const lengths = [];
    let last = performance.now();
    const end = last + 4_000;
    while (last < end) {
      scrollBy(0, 400);
      const now = await new Promise((resolve) => requestAnimationFrame(resolve));
      lengths.push(performance.now() - last);
      last = performance.now();
      void now;
    }
    return lengths;
  });
  await context.close();
  const slow = frames.filter((length) => length > 50).length / frames.length;
  return [
    row(
      'console: first rows of a folder of 10,000 entries, page load included',
      took,
      limits.folderMs,
      milliseconds,
    ),
    row(
      `console: frames over 50 ms while scrolling through it (${frames.length} frames)`,
      slow,
      limits.slowFrames,
      share,
    ),
  ];
}

/** What serving the page costs: the same service with it and without, asked for the same by the API. */
async function atTheServer(folder, browser) {
  const data = join(folder, 'console-cost');
  mkdirSync(data);
  await (await startService(data)).stop();
  const runs = { on: [], off: [] };
  for (let n = 0; n < settings.starts; n++) {
    for (const state of ['on', 'off']) {
      const server = await startService(data, { env: { CONSOLE: state } });
      if (state === 'on') await loadOnce(browser, server.url);
      else await askOnce(browser, server.url);
      await pause(2_000);
      runs[state].push({ ms: server.startedIn, bytes: server.memory() });
      await server.stop();
    }
  }
  const less = (key) => median(runs.on.map((run) => run[key])) - median(runs.off.map((run) => run[key]));
  return [
    row(
      `console: start of the service, more than with CONSOLE=off, medians of ${settings.starts}`,
      less('ms'),
      limits.startMs,
      milliseconds,
    ),
    row(
      'console: memory of the service after Home was loaded, more than with CONSOLE=off',
      less('bytes'),
      limits.serverBytes,
      megabytes,
    ),
  ];
}

async function loadOnce(browser, url) {
  const context = await signedIn(browser, url);
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(sentence).waitFor();
  await context.close();
}

/** What the page asks for until Home is complete, without the page. */
async function askOnce(browser, url) {
  const context = await signedIn(browser, url);
  const session = await context.request.post(`${url}/api/auth/session/refresh`, {
    headers: { origin: url, 'X-Holdfast-Session': '1' },
  });
  const headers = { authorization: `Bearer ${(await session.json()).access_token}` };
  for (const path of ['/api/overview?timezone=UTC', '/health', '/health/ready'])
    await fetch(url + path, { headers }).then((answer) => answer.arrayBuffer());
  const stop = new AbortController();
  const events = await fetch(`${url}/api/events`, { headers, signal: stop.signal });
  if (!events.ok) throw new Error(await events.text());
  stop.abort();
  await context.close();
}

const row = (what, value, limit, text) => ({
  what,
  measured: text(value),
  limit: text(limit),
  passed: value <= limit,
});
