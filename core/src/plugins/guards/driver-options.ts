import type { OperationOptions } from '@holdfast/plugin-api/driver';
import { reasonOf } from '../../kernel/index.js';
import type { Guarded } from './guarded.js';

const levels: ReadonlySet<unknown> = new Set(['debug', 'info', 'warning', 'error']);

/**
 * Guards the callbacks of an operation. A driver may report anything, from its own event handlers, where an exception
 * of ours would end the process. `threw`: whether an error comes from one of our own callbacks and must be thrown
 * unchanged.
 */
export function guardedOptions(
  given: OperationOptions = {},
  { log }: Guarded,
): { options: OperationOptions; threw(error: unknown): boolean } {
  const thrown = new Set<unknown>();
  const rethrow = (error: unknown) => {
    thrown.add(error);
    throw error;
  };
  const quietly = (work: () => void) => {
    try {
      work();
    } catch (error) {
      log.warn('a report of a driver could not be handled', { reason: reasonOf(error) });
    }
  };
  const { beforeStart, onProgress, onLog, onProcess } = given;
  const options: OperationOptions = { ...given };
  if (beforeStart) {
    options.beforeStart = () => {
      try {
        beforeStart();
      } catch (error) {
        rethrow(error);
      }
    };
  }
  if (onProcess) options.onProcess = async (process) => Promise.resolve(onProcess(process)).catch(rethrow);
  if (onProgress) {
    options.onProgress = (progress) =>
      quietly(() => {
        if (typeof progress === 'object' && progress !== null) onProgress(onlyPlain(progress));
      });
  }
  if (onLog) {
    options.onLog = (line) =>
      quietly(() => {
        const level = levels.has(line?.level) ? line.level : 'info';
        onLog({ level, text: typeof line?.text === 'string' ? line.text : reasonOf(line) });
      });
  }
  return { options, threw: (error) => thrown.has(error) };
}

const texts: ReadonlySet<string> = new Set(['currentPath', 'phase', 'message']);

const onlyPlain = (progress: object) =>
  Object.fromEntries(
    Object.entries(progress).filter(([key, value]) =>
      texts.has(key) ? typeof value === 'string' : Number.isFinite(value),
    ),
  );
