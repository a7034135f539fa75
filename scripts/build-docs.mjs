import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';
import { factsOf, hashOf, removeStamp, stampIs, writeStamp } from './prepare/stamp.mjs';

/** Beside the web console, which the server finds: both are in one package. Building the console removes it. */
export const site = join(root, 'console', 'dist', 'docs');
const stamp = join(root, '.cache', 'docs');
const sources = [
  ...['docs', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package.json', 'package-lock.json'],
  ...['console/public', 'console/src/styles/tokens.css'],
  ...['scripts/build-docs.mjs', 'scripts/docs', 'scripts/packages'],
].map((path) => join(root, path));

const wanted = () => hashOf(factsOf(sources));

export const docsReady = () => existsSync(join(site, 'index.html')) && stampIs(stamp, wanted());

/** Builds the site of the documentation, unless nothing has changed since the last time. */
export async function buildDocs() {
  if (docsReady()) return;
  const target = wanted();
  removeStamp(stamp);
  const { writeSite } = await import('./docs/site.mjs');
  await writeSite(root, site);
  writeStamp(stamp, target);
}
