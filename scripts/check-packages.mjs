#!/usr/bin/env node
/**
 * `node scripts/check-packages.mjs`: packs the packages as they would be published and checks each tarball with
 * publint, "are the types wrong" and the project's own rules. Requires the build.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packInto } from './packages/pack.mjs';
import { isCode, publishedPackages } from './packages/published.mjs';
import { ownRules } from './packages/rules.mjs';

/** The packages are ES modules only: `require` and the module resolution of old TypeScript are not supported. */
const promised = new Set(['node16-esm', 'bundler']);

const folder = mkdtempSync(join(tmpdir(), 'holdfast-packages-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const packages = publishedPackages();
const tarballs = await packInto(folder, packages);
let problems = 0;
for (const { path, manifest } of packages) {
  for (const problem of await problemsOf(readFileSync(tarballs.get(manifest.name)), manifest)) {
    problems += 1;
    console.error(`${path}: ${problem}`);
  }
}
console.log(`${packages.length} packages, ${problems} problems`);
process.exitCode = problems === 0 ? 0 : 1;

async function problemsOf(tarball, manifest) {
  const packed = createPackageFromTarballData(tarball);
  const inside = `/node_modules/${packed.packageName}/`;
  const own = ownRules({
    files: packed.listFiles().map((file) => file.slice(inside.length)),
    read: (file) => packed.readFile(inside + file),
  });
  const types = isCode(manifest) ? await typeProblems(packed) : [];
  return [...own, ...(await lintProblems(tarball)), ...types];
}

async function lintProblems(tarball) {
  const data = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: data }, strict: true });
  return messages.filter(({ type }) => type !== 'suggestion').map((message) => formatMessage(message, pkg));
}

async function typeProblems(packed) {
  const { types, problems = [] } = await checkPackage(packed);
  if (!types) return ['it has no types'];
  return problems
    .filter(({ resolutionKind }) => resolutionKind === undefined || promised.has(resolutionKind))
    .map(({ kind, entrypoint, ...facts }) => `types: ${kind} ${entrypoint ?? JSON.stringify(facts)}`);
}
