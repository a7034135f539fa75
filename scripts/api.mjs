#!/usr/bin/env node
/**
 * `node scripts/api.mjs [--check]`: writes the public API of `plugin-api` and `client` into `api/`, so that reviews show
 * changes to it. With `--check` nothing is written, and a difference is a failure. Requires the build.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportsInto } from './packages/api-reports.mjs';
import { root } from './prepare/root.mjs';

const target = join(root, 'api');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-api-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
reportsInto(folder);

const reports = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
// The OpenAPI documents are in the same folder.
const stored = existsSync(target) ? readdirSync(target).filter((name) => name.endsWith('.api.md')) : [];
const before = new Map(stored.map((name) => [name, readFileSync(join(target, name), 'utf8')]));
const changed = [...new Set([...reports.keys(), ...before.keys()])].filter(
  (name) => reports.get(name) !== before.get(name),
);
if (process.argv.includes('--check')) check();
else write();

function check() {
  for (const name of changed)
    console.error(`api/${name}: ${firstDifference(before.get(name), reports.get(name))}`);
  if (changed.length > 0)
    console.error(
      'The public API of packages has changed. If this is intended, run `npm run api` and review the diff.',
    );
  else console.log(`${reports.size} API reports, all up to date`);
  process.exitCode = changed.length === 0 ? 0 : 1;
}

function firstDifference(old = '', fresh = '') {
  const lines = fresh.split('\n');
  const others = old.split('\n');
  const at = lines.findIndex((line, index) => line !== others[index]);
  return at < 0
    ? `everything after line ${lines.length} was removed`
    : `line ${at + 1} is now: ${lines[at].trim()}`;
}

function write() {
  mkdirSync(target, { recursive: true });
  for (const name of changed) {
    if (reports.has(name)) writeFileSync(join(target, name), reports.get(name));
    else rmSync(join(target, name));
  }
  console.log(changed.length === 0 ? 'Nothing changed.' : `Updated: ${changed.join(', ')}`);
}
