/** An error that the user can fix. The message is one line for stderr. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode?: number,
  ) {
    super(message);
  }
}

/** After Ctrl-C, as shells count it. */
export const interrupted = 130;
