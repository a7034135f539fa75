import type { Log } from '@holdfast/plugin-api';

export interface QuietLog extends Log {
  errors: string[];
}

/** Keeps the errors that it is told. */
export function quietLog(): QuietLog {
  const errors: string[] = [];
  const nothing = () => undefined;
  const log: QuietLog = {
    errors,
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (message) => void errors.push(message),
    child: () => log,
  };
  return log;
}
