#!/usr/bin/env node
/**
 * `npm run bench [-- --only schedules]`: prepares what is missing, measures and prints a table with limits. Exit code
 * 1 if a limit is exceeded.
 */
import { parseArgs } from 'node:util';
import { prepare } from './prepare/index.mjs';
import { stopWith } from './prepare/say.mjs';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
// Whoever stops the benchmark also stops the services and stores that it started.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await prepare().catch(stopWith);
const { bench, caseNames } = await import('../bench/index.mjs');
if (values.only !== undefined && !caseNames.includes(values.only)) {
  process.stderr.write(`--only must be one of ${caseNames.join(', ')}.\n`);
  process.exit(2);
}
process.exitCode = await bench(values.only === undefined ? caseNames : [values.only]).catch(stopWith);
