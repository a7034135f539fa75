#!/usr/bin/env node
/** `npm run typecheck`, after the build: the tests, and what runs in a browser with its own types. */
import { join } from 'node:path';
import { root } from './prepare/root.mjs';
import { run } from './prepare/run.mjs';

const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
for (const project of ['tsconfig.tests.json', 'console', 'test/src/console']) {
  const { code } = await run(process.execPath, [compiler, '-p', join(root, project)]);
  if (code !== 0) process.exitCode = 1;
}
