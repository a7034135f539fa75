#!/usr/bin/env node
/**
 * `node scripts/release-notes.mjs v1.2.3`: prints the section of CHANGELOG.md for that tag. Ends with 1 when there is
 * none, or when the packages have another version.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');
const { version } = JSON.parse(read('package.json'));
const tag = process.argv[2] ?? '';
const sections = read('CHANGELOG.md').split(/^## /m);
const notes = sections.find((text) => text.startsWith(`[${version}]`));
const fault =
  tag !== `v${version}`
    ? `${tag || 'No tag'} is not v${version}, the version in package.json.`
    : !notes && `CHANGELOG.md has no section [${version}].`;
if (fault) process.stderr.write(`${fault}\n`);
else process.stdout.write(`${notes.replace(/^.*\n+/, '').trimEnd()}\n`);
process.exitCode = fault ? 1 : 0;
