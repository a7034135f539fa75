#!/usr/bin/env node
/**
 * `npm run screenshots`: takes the pictures of README and docs from the demo, in Chromium; `-- NAME …` only some. The
 * pictures show the path of the demo: `--folder`, by default one as on a server. What this run made is removed at the
 * end, unless `--keep` is given.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { readTaken, shots, stateOf, taken } from './check-pictures.mjs';
import { prepare } from './prepare/index.mjs';
import { root } from './prepare/root.mjs';
import { stopWith } from './prepare/say.mjs';
import { chromium as installed } from './services/chromium.mjs';

const timezoneId = 'Europe/Berlin';
process.env.TZ = timezoneId;
const { values, positionals } = parseArgs({
  options: { folder: { type: 'string', default: '/srv/holdfast' }, keep: { type: 'boolean' } },
  allowPositionals: true,
});
const { folder } = values;
const keep = values.keep || existsSync(folder);
const names = positionals.length > 0 ? positionals : Object.keys(shots);
const unknown = names.filter((name) => !(name in shots));
if (unknown.length > 0)
  stopWith(`No such picture: ${unknown.join(', ')}. There are: ${Object.keys(shots).join(', ')}.`);

await prepare().catch(stopWith);
const { found } = await installed.prepare();
const { password, startDemo, username } = await import('./demo/index.mjs');
const demo = await startDemo({ folder, say: console.log }).catch(stopWith);
const browser = await chromium.launch({ executablePath: found, args: ['--no-sandbox'] });
const states = existsSync(taken) ? readTaken() : {};
try {
  for (const name of names) {
    const { path, width, height, theme, press, until } = shots[name];
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: 'en-GB',
      timezoneId,
      reducedMotion: 'reduce',
    });
    await context.request.post(`${demo.url}/api/auth/session`, { data: { username, password } });
    const page = await context.newPage();
    await page.goto(demo.url + path);
    await page.locator('main h1').waitFor();
    if (press) {
      await page.getByRole('button', { name: press }).click();
      await page.getByText(until).waitFor();
      await page.mouse.move(0, 0);
    }
    await page.waitForFunction(() => !document.querySelector('main [aria-busy=true]'));
    writeFileSync(join(root, 'docs', 'images', `${name}.png`), await settled(page));
    await context.close();
    states[name] = stateOf(shots[name]);
    console.log(`docs/images/${name}.png`);
  }
} finally {
  await browser.close();
  await demo.stop();
  if (!keep) rmSync(folder, { recursive: true });
}
writeFileSync(taken, `${JSON.stringify(states, null, 2)}\n`);

/** The picture once nothing arrives any more that changes it. */
async function settled(page) {
  for (let last = await page.screenshot(); ; ) {
    await page.waitForTimeout(500);
    const next = await page.screenshot();
    if (next.equals(last)) return next;
    last = next;
  }
}
