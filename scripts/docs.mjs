#!/usr/bin/env node
/**
 * `npm run docs`: builds the site of the documentation and prints its size. `--check`, a part of `npm run lint`, only
 * looks for dead links, anchors and pictures in all pages of a checkout (default: this one), and for pages that the
 * sidebar lacks. Exits with 1 if it finds any.
 */
import { statSync } from 'node:fs';
import { buildDocs, site } from './build-docs.mjs';
import { filesBelow, problemsOf } from './docs/check.mjs';
import { root } from './prepare/root.mjs';

const [option, checkout = root] = process.argv.slice(2);
try {
  if (option === '--check') {
    const problems = problemsOf(checkout);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  } else {
    await buildDocs();
    const files = [...filesBelow(site)];
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    console.log(`${site}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
