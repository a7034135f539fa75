#!/usr/bin/env node
/**
 * `node scripts/viewers.mjs`: fetches the packages in `server/viewers/viewers.json` and writes the files of theirs that
 * the server serves. They are kept here because the packages need a hundred others, and one reports installations.
 * Without an update, nothing changes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { npm } from './packages/pack.mjs';
import { root } from './prepare/root.mjs';

const folder = join(root, 'server', 'viewers');
const list = join(folder, 'viewers.json');
const viewers = JSON.parse(readFileSync(list, 'utf8'));
const licences = [];

for (const viewer of viewers) {
  const work = mkdtempSync(join(tmpdir(), 'holdfast-viewers-'));
  try {
    await fetchFiles(viewer, work);
  } finally {
    rmSync(work, { recursive: true });
  }
}
writeFileSync(join(folder, 'licences.txt'), `${licences.join('\n\n')}\n`);
writeFileSync(list, `${JSON.stringify(viewers, null, 2)}\n`);

async function fetchFiles(viewer, work) {
  const name = `${viewer.name}@${viewer.version}`;
  const output = await npm(['pack', name, '--json', '--pack-destination', work], { cwd: root });
  const [{ filename, integrity }] = JSON.parse(output);
  execFileSync('tar', ['-xzf', join(work, basename(filename)), '-C', work]);
  const read = (path) => readFileSync(join(work, 'package', path));
  Object.assign(viewer, { integrity, license: JSON.parse(read('package.json')).license });
  for (const path of viewer.files)
    writeFileSync(join(folder, `${basename(path)}.gz`), gzipSync(read(path), { level: 9 }));
  for (const path of viewer.licences) licences.push(`${name}, ${path}:\n\n${`${read(path)}`.trim()}`);
}
