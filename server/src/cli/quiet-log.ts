import type { Log } from '@holdfast/plugin-api';

/** A command says itself what went wrong; what its plugins tell a log would stand between its lines. */
export const quietLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quietLog,
};
