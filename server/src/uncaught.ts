import { reasonOf } from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import { pluginAtFault } from './adapters/plugin-at-fault.js';
import { builtIn } from './composition/load-plugins.js';

/**
 * What nobody caught. During the start it ends the process with one sentence; from the moment on that the returned
 * function gets the service's log it is logged, and ends the service unless it comes from an added plugin: what such a
 * one does in a timer or an event of its own is no reason to end everything.
 */
export function watchUncaught(): (log: Log) => void {
  let log: Log | null = null;
  process.on('unhandledRejection', (error) => {
    if (!log) return endStart(error);
    const plugin = pluginAtFault(error, builtIn);
    log.error('a promise was rejected and nobody looked', { error, ...(plugin !== null && { plugin }) });
  });
  process.on('uncaughtException', (error) => {
    if (!log) return endStart(error);
    const plugin = pluginAtFault(error, builtIn);
    if (plugin !== null) {
      log.error('a plugin threw where nobody could catch it', { plugin, error });
      return;
    }
    log.error('an error that nobody caught ends the service', { error });
    process.exit(1);
  });
  return (given) => {
    log = given;
  };
}

function endStart(error: unknown): never {
  const plugin = pluginAtFault(error, builtIn);
  if (plugin === null) console.error(error);
  else console.error(`${plugin} threw where nobody could catch it: ${reasonOf(error)}.`);
  process.exit(1);
}
