import { reasonOf } from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import { pluginOfError } from './adapters/plugin-of-error.js';
import { builtIn } from './composition/load-plugins.js';

/**
 * Handles uncaught errors. During the start they end the process with one line. Once the returned function
 * has received the log, they are logged and end the service, unless they come from an added plugin: an error
 * in a plugin's own timer or event must not stop everything.
 */
export function watchUncaught(): (log: Log) => void {
  let log: Log | null = null;
  process.on('unhandledRejection', (error) => {
    if (!log) return endStart(error);
    const plugin = pluginOfError(error, builtIn);
    log.error('unhandled promise rejection', { error, ...(plugin !== null && { plugin }) });
  });
  process.on('uncaughtException', (error) => {
    if (!log) return endStart(error);
    const plugin = pluginOfError(error, builtIn);
    if (plugin !== null) {
      log.error('uncaught error of a plugin', { plugin, error });
      return;
    }
    log.error('uncaught error: Holdfast stops', { error });
    process.exit(1);
  });
  return (given) => {
    log = given;
  };
}

function endStart(error: unknown): never {
  const plugin = pluginOfError(error, builtIn);
  if (plugin === null) console.error(error);
  else console.error(`${plugin} threw an uncaught error: ${reasonOf(error)}.`);
  process.exit(1);
}
