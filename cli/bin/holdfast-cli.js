#!/usr/bin/env node
// A file of its own: what the compiler writes can't be executed.
import { main } from '../dist/index.js';

await main(process.argv.slice(2));
