#!/usr/bin/env node
/**
 * `npm run openapi`: writes the OpenAPI document of the contracts to `api/openapi.json` and reports which changes
 * since the last release would break clients. `npm run openapi -- --release` also stores it as this release's
 * document.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { breakingChanges } from './openapi/breaking-changes.mjs';
import { currentFile, lastRelease, releaseFile, textOf } from './openapi/documents.mjs';
import { root } from './prepare/root.mjs';

const program = join(root, 'server', 'dist', 'main.js');
const document = JSON.parse(
  execFileSync(process.execPath, [program, 'openapi'], { encoding: 'utf8', maxBuffer: 1e8 }),
);
const released = lastRelease();
const before = existsSync(currentFile) ? readFileSync(currentFile, 'utf8') : '';
await writeFile(currentFile, textOf(document));
console.log(before === textOf(document) ? `${currentFile} was up to date.` : `${currentFile} was updated.`);

if (process.argv.includes('--release')) {
  const { version } = JSON.parse(readFileSync(join(root, 'server', 'package.json'), 'utf8'));
  await writeFile(releaseFile(version), textOf(document));
  console.log(`${releaseFile(version)} is now the baseline for later documents.`);
} else if (released) {
  const broken = await breakingChanges(released.document, document);
  for (const sentence of broken) console.error(sentence);
  console.log(`Breaking changes since ${released.version}: ${broken.length}.`);
  process.exitCode = broken.length > 0 ? 1 : 0;
}
