/** What a person can mend, as one sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** By name: not every command should load what throws them, and plugins may carry copies of their own. */
const known = ['CommandError', 'ConfigurationError', 'AppError', 'StoreError', 'PluginError'];

export const isKnown = (error: unknown): boolean => error instanceof Error && known.includes(error.name);

/** Says why, and ends with 1. What a person can correct is a sentence; anything else shows where it came from. */
export function exitWith(error: unknown): never {
  console.error(isKnown(error) ? (error as Error).message : error);
  process.exit(1);
}
