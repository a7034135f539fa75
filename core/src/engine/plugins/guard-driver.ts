import { Readable } from 'node:stream';
import {
  type BackupDriver,
  DriverError,
  isDriverError,
  type OperationOptions,
} from '@holdfast/plugin-api/driver';
import { reasonOf } from '../../foundation/kernel/index.js';
import { call, type Guarded, type Limits, limits, withMethods } from './guarded-calls.js';

/** Operations end by themselves or by their signal; the others only look at this machine, and have a time limit. */
const checks = ['checkCustomFlags', 'checkPull', 'checkStreams'] as const;
const streams = ['readFile', 'exportTar'] as const;
const looks = ['version', 'lockHolder', 'endProcess', 'forget'] as const;
const operations = [
  ...[
    'init',
    'open',
    'look',
    'createArchive',
    'pullArchive',
    'destroy',
    'listArchives',
    'archiveInfo',
    'extract',
  ],
  ...['deleteArchives', 'compact', 'check', 'signArchives', 'breakLock', 'exportKey', 'importKey'],
  'changePassphrase',
] as const;

type Work = (...args: unknown[]) => Promise<unknown>;

export function guardedDriver(driver: BackupDriver, { name }: Guarded, times: Limits = limits): BackupDriver {
  const asError = (error: unknown, signal?: AbortSignal): Error => {
    if (isDriverError(error)) return error;
    if (signal?.aborted) return new DriverError('cancelled', `${name} was cancelled.`, { cause: error });
    return new DriverError('failed', `${name} failed: ${reasonOf(error)}.`, { cause: error });
  };
  const methods: Record<PropertyKey, unknown> = {
    async *listEntries(...args: Parameters<BackupDriver['listEntries']>) {
      try {
        yield* driver.listEntries(...args);
      } catch (error) {
        throw asError(error);
      }
    },
  };
  for (const what of streams) {
    const work = (driver[what] as ((...args: unknown[]) => Readable) | undefined)?.bind(driver);
    const stream = (...args: unknown[]) => {
      try {
        // Until someone listens, its errors must not end the process.
        return work?.(...args).on('error', () => undefined);
      } catch (error) {
        const failed = new Readable({ read: () => undefined }).on('error', () => undefined);
        return failed.destroy(asError(error));
      }
    };
    if (work) methods[what] = stream;
  }
  for (const what of checks) {
    const work = (driver[what] as ((...args: unknown[]) => string[]) | undefined)?.bind(driver);
    const check = (...args: unknown[]) => {
      try {
        return work?.(...args) ?? [];
      } catch (error) {
        return [`${name} could not check this: ${reasonOf(error)}.`];
      }
    };
    if (work) methods[what] = check;
  }
  for (const what of looks) {
    const work = (driver[what] as Work | undefined)?.bind(driver);
    if (work)
      methods[what] = (...args: unknown[]) =>
        call({ name, what, ms: times.call, work: () => work(...args), asError });
  }
  for (const what of operations) {
    const work = (driver[what] as Work | undefined)?.bind(driver);
    if (work) methods[what] = (...args: unknown[]) => untilLeft(work, args, times.call, asError);
  }
  return withMethods(driver, methods);
}

/** Stops waiting for an operation that does not end after an abort, so that its caller can go on. */
async function untilLeft(
  work: Work,
  args: unknown[],
  ms: number,
  asError: (error: unknown, signal?: AbortSignal) => Error,
): Promise<unknown> {
  const { signal } = (args[2] ?? {}) as OperationOptions;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const left = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(new Error(`it did not end within ${ms / 1000} s`)), ms);
    };
  });
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    return await Promise.race([Promise.resolve().then(() => work(...args)), left]);
  } catch (error) {
    throw asError(error, signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
