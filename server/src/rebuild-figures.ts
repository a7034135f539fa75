#!/usr/bin/env node
/** The same as `holdfast rebuild-figures`. */
process.umask(0o077);
await (await import('./cli/program.js')).runProgram(['rebuild-figures']);
