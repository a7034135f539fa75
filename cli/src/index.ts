/** The commands for daily use: for the `holdfast` of the server, and as a program of its own. */
import { createRequire } from 'node:module';
import { Command } from 'commander';
import { addCommands } from './program.js';
import { runProgram } from './run.js';

export { addCommands, example, json, url } from './program.js';
export { runProgram } from './run.js';

/** The whole of `npx @holdfast/cli`. */
export async function main(parameters: string[]): Promise<void> {
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  const program = new Command('holdfast-cli')
    .description('Shows and starts backups of a running Holdfast. Needs an API token in HOLDFAST_TOKEN.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(see --help)');
  addCommands(program);
  await runProgram(program, parameters.length === 0 ? ['--help'] : parameters);
}
