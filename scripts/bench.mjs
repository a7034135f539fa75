#!/usr/bin/env node
/** `npm run bench`: prepares what is missing, measures, prints a table with limits. Exit code 1 when one is passed. */
import { prepare } from './prepare/index.mjs';
import { stopWith } from './prepare/say.mjs';

await prepare().catch(stopWith);
const { bench } = await import('../bench/index.mjs');
process.exitCode = await bench().catch(stopWith);
