#!/usr/bin/env node
/** `node scripts/prepare.mjs [dependencies] [build] [borg]`: prepares the named parts, or all. */
import { prepare } from './prepare/index.mjs';
import { stopWith } from './prepare/say.mjs';

const names = process.argv.slice(2);
await prepare(names.length > 0 ? names : undefined).catch(stopWith);
