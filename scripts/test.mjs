#!/usr/bin/env node
/**
 * `npm test [-- <filters and options of vitest>]`: prepares what the chosen tests use (all tests without a filter),
 * runs them and prints the failures and `N passed, N failed`. Without a filter, and without TEST_DEEP=1, it leaves out
 * the files that `vitest.config.ts` calls deeper; nothing else is ever skipped. TEST_VERDICT_FILE gets the same as JSON.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare/index.mjs';
import { root } from './prepare/root.mjs';
import { run } from './prepare/run.mjs';
import { say, stopWith } from './prepare/say.mjs';
import { servicesFor } from './services/index.mjs';
import { pathOfLeanBorg } from './services/lean-borg.mjs';
import { startServices } from './services/start-services.mjs';
import { verdictOf } from './services/verdict.mjs';

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await prepare(['dependencies']).catch(stopWith);
const parameters = process.argv.slice(2);
if (parameters.some((word) => !word.startsWith('-'))) process.env.TEST_DEEP = '1';
const chosen = await chosenFiles();
const files = chosen.filter(({ projectName }) => projectName !== 'fast').map(({ file }) => file);
if (files.length > 0) {
  await prepare(['build', 'borg']).catch(stopWith);
  process.env.PATH = await pathOfLeanBorg();
}
const { TEST_COMBINATION: combination = 'sqlite-embedded-memory', TEST_LONG } = process.env;
const needed = servicesFor(files, { combination, isLong: TEST_LONG === '1' });
const services = await startServices(needed).catch((error) => {
  say(error.message);
  process.stdout.write('0 passed, 1 failed\n');
  process.exit(1);
});

const reportFile = join(folder, 'report.json');
const byName = parameters.some((word) => /^(-t|--testNamePattern)/.test(word));
const exitCode = await runTests(parameters).finally(services.stop);
const verdict = verdictOf(reportFile, exitCode, { byName });
if (process.env.TEST_VERDICT_FILE) writeFileSync(process.env.TEST_VERDICT_FILE, JSON.stringify(verdict));
const { passed, failed, remarks } = verdict;
for (const remark of remarks) say(remark);
process.exitCode = failed === 0 ? 0 : 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);

/** The files that the parameters select. If that is unknown, the run itself reports why. */
async function chosenFiles() {
  const list = join(folder, 'files.json');
  const { code } = await run(
    process.execPath,
    [vitest, 'list', '--filesOnly', `--json=${list}`, ...parameters],
    {
      quiet: true,
    },
  );
  return code === 0 && existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

function runTests(parameters) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...parameters], {
    cwd: root,
    env: { ...process.env, ...services.env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
