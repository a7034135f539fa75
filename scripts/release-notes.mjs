#!/usr/bin/env node
/**
 * `node scripts/release-notes.mjs v1.2.3`: prints the section of CHANGELOG.md for that tag. Exits with 1 if there is
 * none, or if the packages have another version.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');
const { version } = JSON.parse(read('package.json'));
const tag = process.argv[2] ?? '';
const sections = read('CHANGELOG.md').split(/^## /m);
const notes = sections.find((text) => text.startsWith(`[${version}]`));
const problem =
  tag !== `v${version}`
    ? `${tag || 'No tag'} is not v${version}, the version in package.json.`
    : !notes && `CHANGELOG.md has no section [${version}].`;
if (problem) process.stderr.write(`${problem}\n`);
else process.stdout.write(`${notes.replace(/^.*\n+/, '').trimEnd()}\n`);
process.exitCode = problem ? 1 : 0;
