/** Messages about preparation go to stderr: stdout is reserved for the service and its log. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Says what begins, how long it usually takes the first time, and how long it took. */
export async function step(name, usually, work) {
  say(`${name} … (about ${usually} the first time)`);
  const began = performance.now();
  const end = (word) => say(`${name}: ${word} ${((performance.now() - began) / 1000).toFixed(1)} s`);
  try {
    const result = await work();
    end('took');
    return result;
  } catch (error) {
    end('failed after');
    throw error;
  }
}

const ofSystem = {
  ENOSPC: () => 'The disk is full: free 1 GB, and run the command again.',
  EACCES: ({ path }) => `${path} can’t be written: start as the owner of this folder.`,
};

/** An error that is meant for people: one sentence, no stack. */
export class PrepareError extends Error {
  name = 'PrepareError';
}

/** The message of a PrepareError, a sentence for the errors of a system, or all of any other error. */
export const textOf = (error) =>
  error instanceof PrepareError
    ? error.message
    : (ofSystem[error?.code]?.(error) ?? `${error?.stack ?? error}`);

export function stopWith(error) {
  say(textOf(error));
  process.exit(1);
}
