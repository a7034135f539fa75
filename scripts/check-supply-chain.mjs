#!/usr/bin/env node
/**
 * Part of `npm run lint`: the lock file pins everything, no install script runs but the database driver's, licences are known and compatible, and every known
 * vulnerability is answered in .github/DEPENDENCIES.md. `--write` writes THIRD-PARTY-LICENCES.md. Exits with 1 if there
 * is a problem.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';
import { answersBelow } from './supply-chain/answers.mjs';
import { judgeAudit } from './supply-chain/audit.mjs';
import { scriptProblems } from './supply-chain/install-scripts.mjs';
import { licencePage, licenceProblems, productionPackages } from './supply-chain/licences.mjs';
import { lockFileProblems } from './supply-chain/lock-file.mjs';
import { runningPlaces } from './supply-chain/running.mjs';

const auditWithinMs = 30_000;
const licences = join(root, 'THIRD-PARTY-LICENCES.md');
const read = (...parts) => readFileSync(join(root, ...parts), 'utf8');

function manifestOf(place) {
  const file = join(root, place, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Only the report: npm exits with 1 both when it found something and when the request failed. */
function audit() {
  const args = ['audit', '--json'];
  return spawnSync('npm', args, { cwd: root, encoding: 'utf8', timeout: auditWithinMs }).stdout ?? '';
}

const lock = JSON.parse(read('package-lock.json'));
const page = read('.github', 'DEPENDENCIES.md');
const packages = productionPackages(lock, {
  manifestOf,
  kept: JSON.parse(read('server', 'viewers', 'viewers.json')),
  answers: answersBelow(page, 'Undeclared licences'),
});
if (process.argv.includes('--write')) writeFileSync(licences, licencePage(packages));
const current = existsSync(licences) ? readFileSync(licences, 'utf8') : '';
const { problems: vulnerabilities, remark } = judgeAudit(
  audit(),
  answersBelow(page, 'Answered advisories'),
  runningPlaces(lock),
);
const problems = [
  ...lockFileProblems(lock),
  ...scriptProblems(lock, {
    manifest: JSON.parse(read('package.json')),
    npmrc: read('.npmrc'),
    answered: answersBelow(page, 'Install scripts that never run'),
  }),
  ...licenceProblems(packages),
  ...(current === licencePage(packages)
    ? []
    : ['THIRD-PARTY-LICENCES.md is out of date: run node scripts/check-supply-chain.mjs --write']),
  ...vulnerabilities,
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${packages.length} packages in the service and its page. Vulnerabilities: ${remark}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
