import { type Command, CommanderError } from 'commander';
import { CommandError } from './errors.js';
import { note } from './terminal.js';

/** Runs the command and exits: 0 on success, 1 if it failed, 2 for wrong usage. */
export async function runProgram(
  program: Command,
  parameters: string[],
  fail: (error: unknown) => never = (error) => process.exit(report(error)),
): Promise<void> {
  // EPIPE: the reader, for example head, has closed the pipe.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  try {
    await program.parseAsync(parameters, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
    fail(error);
  }
}

/** Exits explicitly: handles that a command opened could keep the process alive. */
export const ending =
  <P extends unknown[]>(work: (...parameters: P) => Promise<number>, failureCode = 1) =>
  async (...parameters: P): Promise<void> => {
    const code = await work(...parameters).catch((error) => report(error, failureCode));
    await new Promise((resolve) => process.stdout.write('', resolve));
    process.exit(code);
  };

/** Prints the message of errors that the user can fix, and the stack of all others. */
function report(error: unknown, failureCode = 1): number {
  if (!(error instanceof CommandError)) {
    console.error(error);
    return failureCode;
  }
  for (const line of error.message.split('\n')) note(line);
  return error.exitCode ?? failureCode;
}
