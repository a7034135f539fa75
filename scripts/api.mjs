#!/usr/bin/env node
/**
 * `node scripts/api.mjs [--check]`: writes what each published package offers to others into `api/`, so that a change of it is
 * seen in a review. With `--check` nothing is written, and a difference is a failure. Needs the build.
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

const kept = join(root, 'api');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-api-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await reportsInto(folder);

const reports = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
// The OpenAPI documents stand there too.
const keptReports = existsSync(kept) ? readdirSync(kept).filter((name) => name.endsWith('.api.md')) : [];
const before = new Map(keptReports.map((name) => [name, readFileSync(join(kept, name), 'utf8')]));
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
      'What packages offer has changed. If it is meant: `npm run api`, and look at the difference.',
    );
  else console.log(`${reports.size} reports of what packages offer, all as they were`);
  process.exitCode = changed.length === 0 ? 0 : 1;
}

function firstDifference(old = '', fresh = '') {
  const lines = fresh.split('\n');
  const others = old.split('\n');
  const at = lines.findIndex((line, index) => line !== others[index]);
  return at < 0 ? `line ${lines.length} on is gone` : `line ${at + 1} is now: ${lines[at].trim()}`;
}

function write() {
  mkdirSync(kept, { recursive: true });
  for (const name of changed) {
    if (reports.has(name)) writeFileSync(join(kept, name), reports.get(name));
    else rmSync(join(kept, name));
  }
  console.log(changed.length === 0 ? 'Nothing changed.' : `Renewed: ${changed.join(', ')}`);
}
