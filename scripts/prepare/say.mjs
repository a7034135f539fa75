/** Lines about preparation go to stderr: stdout stays with the service and its log. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** A reason to stop that is meant for a person: one sentence, no stack. */
export class PrepareError extends Error {
  name = 'PrepareError';
}

/** Prints the sentence of a PrepareError, or the whole of any other error, and ends the process. */
export function stopWith(error) {
  process.stderr.write(`${error instanceof PrepareError ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
}
