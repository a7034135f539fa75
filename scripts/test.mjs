#!/usr/bin/env node
/**
 * `npm test`: the tests of ring 1. `npm test -- <words and options of vitest>`: the test files with these words in their
 * names, of any ring. `--ring 2`: what a change must pass besides ring 1. `npm run test:deep`: ring 3, or those subjects of
 * it that are named, that `--changed [COMMIT]` asks for (default: the newest commit), or that are in `--part N/M`. `--list`
 * prints the files and runs nothing. Prepares what the chosen tests use, runs
 * them, and prints the failures, the tests that passed only the second time, and `N passed, N failed`. The report is in
 * `.reports/tests.json`.
 */
import { prepare } from './prepare/index.mjs';
import { say, stopWith, textOf } from './prepare/say.mjs';
import { choiceOf } from './testing/choice.mjs';
import { makeRunFolder, removeRunFolder } from './testing/leftovers.mjs';
import { tableOf, writeReport } from './testing/report.mjs';

const begun = performance.now();
const choice = choiceOrStop();
const { ring } = choice;
process.env.TEST_RING = ring;

await prepare(ring === 'named' ? ['dependencies'] : ['dependencies', 'build', 'borg']).catch(stopWith);
const folder = makeRunFolder();
process.env.TMPDIR = folder;
process.on('exit', () => removeRunFolder(folder));
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => process.exit(code));

// They need what was just installed.
const { TestFiles } = await import('./testing/run-files.mjs');
const { prepareServices } = await import('./testing/prepare-services.mjs');
const isQuick = ring === '1' || ring === '2';
const hungAfterMs = (isQuick ? 4 : 60) * 60_000;
const files = await TestFiles.choose(choice, { hungAfterMs }).catch(stopWith);
if (choice.list) {
  for (const line of files.list) process.stdout.write(`${line}\n`);
  process.exit(0);
}
const fast = files.all.filter(({ project }) => project.name === 'fast');
const others = files.all.filter(({ project }) => project.name !== 'fast');

const preparing = prepareServices(others).catch((error) => ({ error }));
await files.run(fast);
const { error, env, stop } = await preparing;
if (error === undefined) {
  Object.assign(process.env, env);
  await files.run(others);
}
const flaky = isQuick ? await files.runFailedAgain(others) : [];
await files.close();
await stop?.();

const { passed } = files.verdict;
const failures = [
  ...files.verdict.failures,
  ...(error === undefined ? [] : [textOf(error)]),
  ...removeRunFolder(folder).map((sentence) => `Left behind: ${sentence}`),
];
const seconds = (performance.now() - begun) / 1000;
const times = files.verdict.files.map(({ file, project, seconds, passed: tests }) => ({
  file,
  project,
  seconds,
  tests,
}));
const report = { ring, seconds, passed, failed: failures.length, flaky, files: times };
writeReport(report);
for (const failure of failures) say(failure);
for (const test of flaky) say(`flaky: ${test}`);
if (ring !== 'named') process.stdout.write(`${tableOf(report, { slowest: 0 })}\n`);
process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
process.exit(failures.length === 0 ? 0 : 1);

function choiceOrStop() {
  try {
    return choiceOf(process.argv.slice(2));
  } catch (error) {
    return stopWith(error);
  }
}
