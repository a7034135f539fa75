/** Messages about preparation go to stderr: stdout is reserved for the service and its log. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** An error that is meant for people: one sentence, no stack. */
export class PrepareError extends Error {
  name = 'PrepareError';
}

/** Prints the message of a PrepareError, or all of any other error, and ends the process. */
export function stopWith(error) {
  process.stderr.write(`${error instanceof PrepareError ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
}
