/** Messages about preparation go to stderr: stdout is reserved for the service and its log. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** An error that is meant for people: one sentence, no stack. */
export class PrepareError extends Error {
  name = 'PrepareError';
}

/** The message of a PrepareError, or all of any other error. */
export const textOf = (error) => (error instanceof PrepareError ? error.message : `${error?.stack ?? error}`);

export function stopWith(error) {
  say(textOf(error));
  process.exit(1);
}
