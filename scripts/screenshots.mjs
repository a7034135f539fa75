#!/usr/bin/env node
/**
 * `node scripts/screenshots.mjs`: writes the pictures of README and docs, of the running product in Chromium. Run it
 * when the console looks different.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { backUp, passphrase, password, signIn, startService } from '../bench/service.mjs';
import { prepare } from './prepare/index.mjs';
import { root } from './prepare/root.mjs';
import { stopWith } from './prepare/say.mjs';
import { chromium as installed } from './services/chromium.mjs';

await prepare().catch(stopWith);
const { found } = await installed.prepare();
const folder = mkdtempSync(join(tmpdir(), 'holdfast-screenshots-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const pictures = join(root, 'docs', 'images');
mkdirSync(pictures, { recursive: true });

const day = 24 * 60 * 60 * 1000;
const sources = { photos: 'pictures', documents: 'texts', servers: 'configuration' };

/** A repository with an archive for most of the last 30 nights, as plain borg makes them. */
function makeRepository(name, missing) {
  const source = join(folder, 'home', sources[name]);
  mkdirSync(join(source, 'letters'), { recursive: true });
  for (let n = 0; n < 12; n++)
    writeFileSync(join(source, 'letters', `letter-${n + 1}.txt`), `Dear reader, ${n}`);
  for (let n = 0; n < 6; n++)
    writeFileSync(join(source, `scan-${n + 1}.pdf`), Buffer.alloc(400_000 + n, name));
  const path = join(folder, name);
  const env = { ...process.env, BORG_PASSPHRASE: passphrase, BORG_BASE_DIR: folder };
  execFileSync('borg', ['init', '-e', 'repokey', path], { env });
  for (let nights = 30; nights >= 1; nights--) {
    if (missing.includes(nights)) continue;
    const at = new Date(Date.now() - nights * day).toISOString().slice(0, 19);
    writeFileSync(join(source, `diary-${nights}.txt`), `Night ${nights}`.repeat(5_000 * (nights % 7)));
    execFileSync('borg', ['create', '--timestamp', at, `${path}::${name}-${at}`, source], { env });
  }
  return { name, path, source };
}

async function fill(api) {
  for (const [name, missing] of [
    ['photos', []],
    ['documents', [12]],
    ['servers', [3, 4, 20]],
  ]) {
    const repository = makeRepository(name, missing);
    await api.post('/api/repositories/import', {
      name,
      path: repository.path,
      passphrase,
      source_directories: [repository.source],
    });
    await api.get(`/api/archives/list?repository=${encodeURIComponent(repository.path)}`);
    await backUp(api, repository.path);
  }
  await api.post('/api/schedule/', {
    name: 'nightly',
    cron_expression: '0 2 * * *',
    timezone: 'Europe/Berlin',
    repository_ids: [1, 2, 3],
    run_prune_after: true,
    prune_keep_daily: 7,
    prune_keep_weekly: 4,
    prune_keep_monthly: 6,
  });
  // Nothing is sent any more, so nobody has to be there.
  await api.post('/api/notifications', { name: 'Family chat', service_url: 'json://127.0.0.1:9/chat' });
}

const shots = [
  { name: 'home-desktop-light', path: '/', width: 1280, height: 800, theme: 'light' },
  { name: 'home-phone-dark', path: '/', width: 390, height: 844, theme: 'dark' },
  {
    name: 'archives-desktop-dark',
    path: '/repositories/1/archives',
    width: 1280,
    height: 800,
    theme: 'dark',
  },
  { name: 'repository-desktop-light', path: '/repositories/1', width: 1280, height: 800, theme: 'light' },
  { name: 'restore-phone-light', path: '/restore', width: 390, height: 844, theme: 'light' },
  { name: 'activity-desktop-light', path: '/activity', width: 1280, height: 800, theme: 'light' },
];

const data = join(folder, 'data');
mkdirSync(data);
const service = await startService(data);
const browser = await chromium.launch({ executablePath: found, args: ['--no-sandbox'] });
try {
  await fill(await signIn(service.url));
  for (const { name, path, width, height, theme } of shots) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    await context.request.post(`${service.url}/api/auth/session`, { data: { username: 'admin', password } });
    const page = await context.newPage();
    await page.goto(service.url + path);
    await page.locator('main h1').waitFor();
    await page.waitForFunction(() => !document.querySelector('main [aria-busy=true]'));
    await page.screenshot({ path: join(pictures, `${name}.png`) });
    await context.close();
    process.stdout.write(`docs/images/${name}.png\n`);
  }
} finally {
  await browser.close();
  await service.stop();
}
