#!/usr/bin/env node
/**
 * `npm run lint`: runs the steps in parallel; each reports, and the last line names those that failed. Arguments
 * choose steps: `npm run lint -- api`. Only `all` includes `packages`, which packs what is published. `npm run
 * lint:fast` runs `style`, `imports`, `words` and `links`, which need no build. It installs and builds what is missing.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from './prepare/index.mjs';
import { root } from './prepare/root.mjs';
import { stopWith } from './prepare/say.mjs';

const steps = {
  style: ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  packages: ['scripts/check-packages.mjs'],
  imports: [
    'dependency-cruiser/bin/dependency-cruise.mjs',
    ...['--config', '.dependency-cruiser.cjs'],
    ...['contracts/src', 'client/src', 'cli/src', 'core/src', 'plugins', 'server/src', 'console/src'],
  ],
  tables: ['scripts/check-table-writes.mjs'],
  'foreign files': ['scripts/check-foreign-files.mjs'],
  modules: ['scripts/architecture.mjs', '--check'],
  components: ['scripts/check-component-lines.mjs'],
  size: ['scripts/check-size.mjs'],
  unused: ['knip/bin/knip.js', '--no-progress', '--no-config-hints'],
  messages: ['scripts/messages.mjs', '--check'],
  client: ['scripts/client.mjs', '--check'],
  api: ['scripts/api.mjs', '--check'],
  'supply chain': ['scripts/check-supply-chain.mjs'],
  'host keys': ['scripts/check-host-keys.mjs'],
  words: ['scripts/check-words.mjs'],
  links: ['scripts/docs.mjs', '--check'],
  pictures: ['scripts/check-pictures.mjs'],
  times: ['scripts/test-times.mjs', '--limits'],
};

const asked = process.argv.slice(2);
const usual = Object.keys(steps).filter((name) => name !== 'packages');
const chosen = asked.length === 0 ? usual : asked[0] === 'all' ? Object.keys(steps) : asked;
const unknown = chosen.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. Available steps: ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}

const withoutBuild = ['style', 'imports', 'words', 'links'];
const isFast = chosen.every((name) => withoutBuild.includes(name));
await prepare(['dependencies', ...(isFast ? ['client'] : ['build', 'types'])]).catch(stopWith);

const failed = [];
await Promise.all(chosen.map(report));
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** Prints the output of a step in one piece when it has ended. */
async function report(name) {
  const started = performance.now();
  const { code, output } = await run(steps[name]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`── ${name}: ${code === 0 ? 'ok' : 'failed'}, ${seconds} s\n${output.trimEnd()}`);
  if (code !== 0) failed.push(name);
}

function run([program, ...parameters]) {
  const file = program.startsWith('scripts/') ? program : join('node_modules', program);
  const child = spawn(process.execPath, [join(root, file), ...parameters], { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
