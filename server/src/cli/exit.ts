/** An error that the user can fix. The message is one line for stderr. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Compared by name: commands should not load every module that throws these, and plugins may bundle their own
 * copies.
 */
const known = ['CommandError', 'ConfigurationError', 'AppError', 'StoreError', 'PluginError'];

export const isKnown = (error: unknown): boolean => error instanceof Error && known.includes(error.name);

/** Exits with code 1, or that of the error. Prints the message of errors that the user can fix, and the stack of all others. */
export function exitWith(error: unknown): never {
  console.error(isKnown(error) ? (error as Error).message : error);
  process.exit((error as { exitCode?: number } | null)?.exitCode ?? 1);
}
