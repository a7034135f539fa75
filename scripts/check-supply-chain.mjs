#!/usr/bin/env node
/**
 * Part of `npm run lint`: the lock file pins everything, licences are known and fit, and no vulnerability is known that
 * docs/dependencies.md does not answer. `--write` writes docs/licences.md. Ends with 1 when something is wrong.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';
import { answersBelow } from './supply-chain/answers.mjs';
import { judgeAudit } from './supply-chain/audit.mjs';
import { faultsOfLicences, licencePage, productionPackages } from './supply-chain/licences.mjs';
import { faultsOfLockFile } from './supply-chain/lock-file.mjs';

const auditWithinMs = 30_000;
const licences = join(root, 'docs', 'licences.md');
const read = (...parts) => readFileSync(join(root, ...parts), 'utf8');

function manifestOf(place) {
  const file = join(root, place, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Nothing else than the report: npm ends with 1 when it found something, and when it could not ask. */
function audit() {
  const words = ['audit', '--omit=dev', '--json'];
  return spawnSync('npm', words, { cwd: root, encoding: 'utf8', timeout: auditWithinMs }).stdout ?? '';
}

const lock = JSON.parse(read('package-lock.json'));
const page = read('docs', 'dependencies.md');
const packages = productionPackages(lock, {
  manifestOf,
  answers: answersBelow(page, 'Undeclared licences'),
});
if (process.argv.includes('--write')) writeFileSync(licences, licencePage(packages));
const current = existsSync(licences) ? readFileSync(licences, 'utf8') : '';
const { faults: vulnerabilities, remark } = judgeAudit(audit(), answersBelow(page, 'Answered advisories'));
const faults = [
  ...faultsOfLockFile(lock),
  ...faultsOfLicences(packages),
  ...(current === licencePage(packages)
    ? []
    : ['docs/licences.md is not up to date: node scripts/check-supply-chain.mjs --write']),
  ...vulnerabilities,
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${packages.length} packages in the service. Vulnerabilities: ${remark}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
