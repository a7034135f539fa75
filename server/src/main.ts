#!/usr/bin/env node
process.umask(0o077);
const parameters = process.argv.slice(2);
// The service itself needs no reader of commands, which would only make its start longer.
if (parameters.length === 0) await (await import('./cli/serve.js')).serve();
else await (await import('./cli/program.js')).runProgram(parameters);
