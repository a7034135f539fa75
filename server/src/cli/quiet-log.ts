import type { Log } from '@holdfast/plugin-api';

/**
 * Discards all messages: commands report errors themselves, and log lines of plugins would mix with their
 * output.
 */
export const quietLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quietLog,
};
