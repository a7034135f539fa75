#!/usr/bin/env node
process.umask(0o077);
const parameters = process.argv.slice(2);
// Skips the command-line parser, which would slow down the start of the service.
if (parameters.length === 0) await (await import('./cli/serve.js')).serve();
else await (await import('./cli/program.js')).runProgram(parameters);
